import type { TokenMove } from '../../api/schema.ts';
import { chainRevision } from '../../live/feed.ts';
import { MoreList, nextByCursor } from '../more-list.tsx';
import { type Column, RowTable } from '../row-table.tsx';
import { TokenAmount } from '../values/amount.tsx';
import { BlockLink, TxLink } from '../values/links.tsx';
import { Principal } from '../values/principal.tsx';
import { Time } from '../values/time.tsx';

const verbs = { transfer: 'Sent', mint: 'Minted', burn: 'Burned' } as const;

/** Transfers, mints and burns of a token. */
export function TokenTransfers({ asset }: { asset: string }) {
  const columns: readonly Column<TokenMove>[] = [
    { title: 'What', cell: move => verbs[move.type] },
    { title: 'Amount', number: true, cell: move => <TokenAmount units={move.amount} asset={asset} /> },
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
  return (
    <MoreList
      path="/extended/v1/tokens/ft/{token}/transfers"
      parameters={{ token: asset, limit: 25 }}
      revision={chainRevision}
      next={nextByCursor}
      empty="It has never moved."
    >
      {moves => (
        <RowTable
          of={moves}
          caption="Transfers, mints and burns, newest first"
          columns={columns}
          keyOf={move => `${move.tx_id}${move.event_index}`}
        />
      )}
    </MoreList>
  );
}
