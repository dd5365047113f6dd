import { eventCodes } from '../../chain/event.ts';
import { constant, type Sql } from '../../db/client.ts';
import { type EventRow, eventColumns, eventJoins } from '../events/events-queries.ts';
import type { Position } from '../transactions/positions-queries.ts';

/** The position of a transaction, and the hash of its microblock; '' if it has none. */
export type PlacedId = Position & { tx_id: Buffer; microblock: Buffer };

/** Every transaction at a height, in its order. */
export async function listPlacedIds(sql: Sql, height: number): Promise<PlacedId[]> {
  return await sql<PlacedId[]>`
    select t.height, t.place, t.tx_id, t.microblock
    from transactions t
    where t.height = ${height}
    order by t.place
  `;
}

export type NftMove = EventRow & { tx_index: number };

/** Every move of an NFT at a height, in its order. */
export async function listNftMoves(sql: Sql, height: number): Promise<NftMove[]> {
  return await sql<NftMove[]>`
    select ${eventColumns(sql)}, t.tx_index
    from events e
    ${eventJoins(sql)}
    where e.height = ${height} and e.kind between ${constant(sql, eventCodes.nft_transfer)} and ${constant(sql, eventCodes.nft_burn)}
    order by e.place, e.event_index
  `;
}
