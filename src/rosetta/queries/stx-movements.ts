import { eventCodes } from '../../chain/event.ts';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';
import { eventNames, publicEvents, sidedEvents } from '../../read/events/events-queries.ts';
import type { Position } from '../../read/transactions/positions-queries.ts';

/** An event: what moved, was made, ended or locked, or what a contract printed. */
export type StxMovementRow = {
  height: number;
  place: number;
  event_index: number;
  kind: number;
  /** Compact principals; null where the event has no such side. */
  sender: Buffer | null;
  recipient: Buffer | null;
  /** The contract of the asset, or the one that printed or locked. */
  contract: Buffer | null;
  asset_name: string | null;
  amount: string;
  /** The memo of a transfer, the unlock height of a lock, the item of a collection, or what was printed. */
  value: Buffer;
};

/** The events of a transaction from an index to another. */
export type Stretch = Position & { first: number; last: number };

/**
 * The events in some stretches, in order: all that have a public shape, or those of STX alone. In block 1 by their index: its first transaction holds an event for each account
 * that the chain began with.
 */
export async function listMovements(
  sql: Sql,
  stretches: readonly Stretch[],
  kinds: 'all' | 'stx',
): Promise<StxMovementRow[]> {
  if (stretches.length === 0) return [];
  const ofKind =
    kinds === 'all'
      ? publicEvents(sql)
      : sql`e.kind between ${constant(sql, eventCodes.stx_transfer)} and ${constant(sql, eventCodes.stx_lock)}`;
  const isWanted = sql`${ofKind} and e.event_index between w.first and w.last`;
  return await sql<StxMovementRow[]>`
    select
      e.height, e.place, e.event_index, e.kind, es.name as sender, er.name as recipient, ec.name as contract,
      ea.name as asset_name, e.amount, e.value
    from unnest(
      ${arrayLiteral(stretches.map(stretch => stretch.height))}::int[],
      ${arrayLiteral(stretches.map(stretch => stretch.place))}::smallint[],
      ${arrayLiteral(stretches.map(stretch => stretch.first))}::int[],
      ${arrayLiteral(stretches.map(stretch => stretch.last))}::int[]
    ) as w (height, place, first, last)
    cross join lateral (
      select e.* from events e where w.height > 1 and e.height = w.height and e.place = w.place and ${isWanted}
      union all
      select e.* from events e where w.height = 1 and e.height = 1 and e.place = w.place and ${isWanted}
    ) e
    ${eventNames(sql)}
    order by e.height, e.place, e.event_index
  `;
}

/** The index of the first STX event of a transaction that has a principal on a side. */
export async function findEventOf(
  sql: Sql,
  { height, place }: Position,
  principal: Uint8Array,
): Promise<number | undefined> {
  const [row] = await sql<{ event_index: number }[]>`
    select e.event_index
    from (select ${height}::int as height, ${place}::int2 as place) w
    join principals p on p.name = ${principal}
    cross join lateral ${sidedEvents(sql, sql`w.height`, sql`w.place`, sql`p.id`)} e
    where e.kind between ${constant(sql, eventCodes.stx_transfer)} and ${constant(sql, eventCodes.stx_lock)}
    order by e.event_index
    limit 1
  `;
  return row?.event_index;
}

/** A reward that a block pays out. */
export type MaturedRewardRow = { height: number; recipient: Buffer; amount: string };

/** Miner rewards that mature in some blocks, the last announced first. */
export async function listMaturedRewards(sql: Sql, heights: readonly number[]): Promise<MaturedRewardRow[]> {
  return await sql<MaturedRewardRow[]>`
    select r.height, p.name as recipient, r.coinbase + r.fees_anchored + r.fees_confirmed + r.fees_produced as amount
    from miner_rewards r
    join principals p on p.id = r.recipient
    where r.height = any (${heights as number[]}::int[])
    order by r.height, r.position desc
  `;
}
