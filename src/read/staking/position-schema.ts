import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import type { Shape } from '../../compat/shape.ts';
import { isoOf } from '../transactions/transaction-summary-schema.ts';
import type { PlaceRow } from './position-queries.ts';

/** Sats and micro-STX. */
export const Locked = Type.Object(
  {
    btc: Type.String({ description: 'Amount in satoshis.' }),
    stx: Type.String({ description: 'Amount in micro-STX.' }),
  },
  { title: 'StakedAmounts' },
);

/** The transaction that something came from. */
export const StakingPlace = Type.Object(
  {
    tx_id: Type.String({ description: 'Id of the transaction.' }),
    block: Type.Object({
      height: Type.Integer({ description: 'Height of the block.' }),
      hash: Type.String({ description: 'Hash of the block.' }),
      index_hash: Type.String({ description: 'Index block hash.' }),
      time: Type.Number({ description: 'Unix time in seconds.' }),
      time_iso: Type.Optional(
        Type.String({ description: 'The same time as UTC text. Present since version 9.3 of the API.' }),
      ),
      tx_index: Type.Integer({ description: 'Index of the transaction in the block.' }),
    }),
    bitcoin_block: Type.Object({
      height: Type.Integer({ description: 'Height of the block.' }),
      time: Type.Number({ description: 'Unix time in seconds.' }),
      time_iso: Type.Optional(
        Type.String({ description: 'The same time as UTC text. Present since version 9.3 of the API.' }),
      ),
    }),
  },
  { title: 'StakingTransaction' },
);
export type StakingPlace = Static<typeof StakingPlace>;

export const renderStakingPlace = (row: PlaceRow, shape: Shape): StakingPlace => {
  // Blocks before Nakamoto have the time of their Bitcoin block.
  const time = row.block_time || row.burn_time;
  return {
    tx_id: toHex(row.tx_id),
    block: {
      height: row.height,
      hash: toHex(row.block_hash),
      index_hash: toHex(row.index_hash),
      time,
      ...isoOf(time, shape),
      tx_index: row.tx_index,
    },
    bitcoin_block: { height: row.burn_height, time: row.burn_time, ...isoOf(row.burn_time, shape) },
  };
};

export const placePattern = '^[0-9]+:[0-9]+:[0-9]+(:[0-9]+)?$';

/** The cursor of a row: its position in the chain, with the event since a transaction may print many rows. */
export const placeCursor = (row: PlaceRow): string =>
  `${row.height}:${row.microblock_sequence}:${row.tx_index}:${row.event_index}`;

/** Whether a row of a newest-first list is at a cursor or past it; a cursor without an event means the whole transaction. */
export function isAtPlace(row: PlaceRow, cursor: string): boolean {
  const wanted = cursor.split(':').map(Number);
  const own = [row.height, row.microblock_sequence, row.tx_index, row.event_index];
  for (const [i, value] of wanted.entries()) if (own[i] !== value) return own[i]! < value;
  return true;
}
