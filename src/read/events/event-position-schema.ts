import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { isoTimeFrom0 } from '../pages/time.ts';
import type { EventCursor, EventPositionRow } from './positions-queries.ts';

/** A block and which of its transactions. */
export const BlockPosition = Type.Object(
  {
    height: Type.Integer({ description: 'Height of the block.' }),
    hash: Type.String({ description: 'Hash of the block.' }),
    index_hash: Type.String({ description: 'Index block hash.' }),
    time: Type.Integer({
      description: 'Time of the block in Unix seconds; before Nakamoto the time of its Bitcoin block.',
    }),
    time_iso: Type.String({ description: 'The same time as UTC text.' }),
    tx_index: Type.Integer({ description: 'Index of the transaction in the block.' }),
  },
  { title: 'BlockPosition' },
);
export type BlockPosition = Static<typeof BlockPosition>;

export const BitcoinBlockPosition = Type.Object(
  {
    height: Type.Integer({ description: 'Height of the block.' }),
    time: Type.Integer({ description: 'Unix time in seconds.' }),
    time_iso: Type.String({ description: 'The same time as UTC text.' }),
  },
  { title: 'BitcoinBlockPosition' },
);

/** A transaction and which of its events. */
export const TransactionPosition = Type.Object(
  {
    tx_id: Type.String({ description: 'Id of the transaction.' }),
    event_index: Type.Integer({ description: 'Index of the event in the transaction.' }),
  },
  { title: 'TransactionPosition' },
);

type Placed = Pick<
  EventPositionRow,
  'height' | 'tx_index' | 'block_hash' | 'index_hash' | 'block_time' | 'burn_height' | 'burn_time'
>;

export function renderBlockPosition(row: Omit<Placed, 'burn_height'>): BlockPosition {
  const time = row.block_time || row.burn_time;
  return {
    height: row.height,
    hash: toHex(row.block_hash),
    index_hash: toHex(row.index_hash),
    time,
    time_iso: isoTimeFrom0(time),
    tx_index: row.tx_index,
  };
}

export const renderBitcoinBlockPosition = ({ burn_height, burn_time }: Pick<Placed, 'burn_height' | 'burn_time'>) => ({
  height: burn_height,
  time: burn_time,
  time_iso: isoTimeFrom0(burn_time),
});

export const renderTransactionPosition = ({ tx_id, event_index }: EventPositionRow) => ({
  tx_id: toHex(tx_id),
  event_index,
});

export const eventPositionPattern = '^[0-9]+:[0-9]+:[0-9]+:[0-9]+$';

/** `height:microblock_sequence:tx_index:event_index`. Block 0 is distinguished from block 1, whose indexes it shares. */
export const eventPositionCursor = (
  row: Pick<EventPositionRow, 'genesis' | 'height' | 'microblock_sequence' | 'tx_index' | 'event_index'>,
): string => `${row.genesis ? 0 : row.height}:${row.microblock_sequence}:${row.tx_index}:${row.event_index}`;

/** The largest value of each part of a cursor. */
const most = [2_147_483_647, 2_147_483_647, 32_767, 2_147_483_647] as const;

/** The cursor behind all events of a block. */
export const endOfEvents = (height: number): string => [height, ...most.slice(1)].join(':');

/** The position that a cursor names; 'out of range' where a part can be none of any event. */
export function readEventPosition(text: string | undefined): EventCursor | undefined | 'out of range' {
  if (text === undefined) return undefined;
  const parts = text.split(':').map(Number);
  if (parts.some((part, i) => part > most[i]!)) return 'out of range';
  const [height = 0, microblockSequence = 0, txIndex = 0, eventIndex = 0] = parts;
  return { height, microblockSequence, txIndex, eventIndex };
}
