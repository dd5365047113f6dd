import { eventCodes } from '../chain/event.ts';
import { constant, type Sql } from '../db/client.ts';
import { type EventRow, eventColumns, eventJoins } from './events.ts';

/** A printed event with the place that names it in a cursor. */
export type LogRow = EventRow & { microblock_sequence: number; tx_index: number };

/** The place of a printed event, as a cursor writes it. */
export type LogPlace = { height: number; microblockSequence: number; txIndex: number; eventIndex: number };

/** How often a contract has printed, and how many of its prints are newer than a place. */
export async function countLogs(sql: Sql, contract: Uint8Array, place?: LogPlace) {
  const [row] = await sql<{ total: number; newer: number }[]>`
    with who as (select p.id, f.height as tip from principals p cross join fold_position f where p.name = ${contract})
    select coalesce(${totalAt(sql, sql`w.tip`)}, 0) as total, ${place ? newerThan(sql, place) : sql`0`} as newer
    from who w
  `;
  return { total: row?.total ?? 0, newer: row?.newer ?? 0 };
}

/** Prints of contract `w` up to and with a height; null before its first. */
const totalAt = (sql: Sql, height: ReturnType<typeof sql<never[]>>) => sql`
  (
    select c.total
    from contract_log_totals c
    where c.contract = w.id and c.height <= ${height}
    order by c.height desc
    limit 1
  )
`;

const newerThan = (sql: Sql, { height, microblockSequence, txIndex, eventIndex }: LogPlace) => sql`
  coalesce(${totalAt(sql, sql`w.tip`)}, 0) - coalesce(${totalAt(sql, sql`least(${height}::int8, w.tip)`)}, 0) + (
    select count(*)
    from events e
    join transactions t on t.height = e.height and t.place = e.place
    where e.asset = w.id and e.kind = ${constant(sql, eventCodes.print)} and e.height = ${height}::int8 and e.height <= w.tip
      and (t.microblock_sequence, t.tx_index, e.event_index)
        > (${microblockSequence}::int8, ${txIndex}::int8, ${eventIndex}::int8)
  )::int
`;

/** What a contract printed, newest first, `offset` prints below the newest of `total`. */
export async function listLogs(
  sql: Sql,
  contract: Uint8Array,
  { total, limit, offset }: { total: number; limit: number; offset: number },
): Promise<LogRow[]> {
  if (offset >= total || limit === 0) return [];
  const nth = total - offset;
  // The running totals only grow: a search by halves finds the block of the n-th print in some twenty seeks.
  return await sql<LogRow[]>`
    with recursive who as (
      select p.id, f.height as tip
      from principals p
      cross join fold_position f
      where p.name = ${contract}
    ),
    halves (low, high) as (
      select case when ${offset} = 0 then w.tip else 0 end, w.tip from who w
      union all
      select case when s.reached then h.low else h.middle + 1 end, case when s.reached then h.middle else h.high end
      from (select low, high, low + (high - low) / 2 as middle from halves where low < high) h
      cross join who w
      cross join lateral (select coalesce(${totalAt(sql, sql`h.middle`)}, 0) >= ${nth} as reached) s
    ),
    start as (
      select h.low as height, coalesce(${totalAt(sql, sql`h.low`)}, 0) - ${nth} as skip
      from halves h
      cross join who w
      where h.low = h.high
      limit 1
    ),
    page as (
      select e.height, e.place, e.event_index
      from who w
      cross join start s
      join events e on e.asset = w.id and e.kind = ${constant(sql, eventCodes.print)} and e.height <= s.height
        and e.height >= coalesce((
          -- The block of the page's last print, by the index alone: the planner would rather sort all the contract printed.
          select l.height
          from events l
          where l.asset = w.id and l.kind = ${constant(sql, eventCodes.print)} and l.height <= s.height
          order by l.height desc
          limit 1
          offset s.skip + ${limit}::int8 - 1
        ), 0)
      order by e.height desc, e.place desc, e.event_index desc
      limit ${limit}
      offset (select s.skip from start s)
    )
    select ${eventColumns(sql)}, t.microblock_sequence, t.tx_index
    from page g
    join events e on e.height = g.height and e.place = g.place and e.event_index = g.event_index
    ${eventJoins(sql)}
    order by e.height desc, e.place desc, e.event_index desc
  `;
}
