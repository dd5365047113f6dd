import type { Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';

/** A fragment of SQL. */
export type Fragment = Statement<unknown>;

/** The position of a print of pox-5 in the chain. */
export type PlaceRow = {
  height: number;
  tx_index: number;
  microblock_sequence: number;
  event_index: number;
  tx_id: Buffer;
  block_hash: Buffer;
  index_hash: Buffer;
  block_time: number;
  burn_height: number;
  burn_time: number;
};

/** What `placeJoins` adds to a row. */
export const placeColumns = (sql: Sql) => sql`
  xt.height, xt.tx_index, xt.microblock_sequence, xt.tx_id, xe.event_index, xb.hash as block_hash, xb.index_hash,
  xb.time as block_time, xb.burn_height, xb.burn_time
`;

/** Gives a row with a position its transaction and its block. */
export const placeJoins = (sql: Sql, row: Fragment) => sql`
  cross join lateral (select ${row}.event_index) xe
  join transactions xt on xt.height = ${row}.height and xt.place = ${row}.place
  join blocks xb on xb.height = xt.height
`;
