import type { CollectionMove, TokenMove } from '../../api/schema.ts';
import type { Column } from '../row-table.tsx';
import { BlockLink, TxLink } from '../values/links.tsx';
import { Principal } from '../values/principal.tsx';
import { Time } from '../values/time.tsx';

type Move = TokenMove | CollectionMove;

const verbs = { transfer: 'Sent', mint: 'Minted', burn: 'Burned' } as const;

/** The columns of a list of transfers, mints and burns around the one that says what moved. */
export const moveColumns = <M extends Move>(what: Column<M>): readonly Column<M>[] => [
  { title: 'What', cell: move => verbs[move.type] },
  what,
  { title: 'From', cell: move => (move.sender === null ? '–' : <Principal of={move.sender} />) },
  { title: 'To', cell: move => (move.recipient === null ? '–' : <Principal of={move.recipient} />) },
  { title: 'Transaction', cell: move => <TxLink id={move.tx_id} /> },
  {
    title: 'When',
    number: true,
    cell: move => (
      <span class="stack">
        <Time seconds={move.block_time} />
        <span class="soft">
          block <BlockLink height={move.block_height} />
        </span>
      </span>
    ),
  },
];

export const moveKey = (move: Move) => `${move.tx_id}${move.event_index}`;
