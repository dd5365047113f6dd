import { type Static, Type } from 'typebox';
import { toHex } from '../../codec/hex.ts';
import type { Shape } from '../../compat/shape.ts';
import type { PlaceRow } from '../../queries/staking/position.ts';
import { isoOf } from '../transactions/transaction-summary.ts';

/** Sats and micro-STX. */
export const Locked = Type.Object({ btc: Type.String(), stx: Type.String() }, { title: 'StakedAmounts' });

/** The transaction that something came from. */
export const StakingPlace = Type.Object(
  {
    tx_id: Type.String(),
    block: Type.Object({
      height: Type.Integer(),
      hash: Type.String(),
      index_hash: Type.String(),
      time: Type.Number(),
      time_iso: Type.Optional(Type.String()),
      tx_index: Type.Integer(),
    }),
    bitcoin_block: Type.Object({
      height: Type.Integer(),
      time: Type.Number(),
      time_iso: Type.Optional(Type.String()),
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
