import { eventCodes } from '../../chain/event.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { type ListedEvent, listedEvent } from '../events/events-queries.ts';

/** A printed event with the place that names it in a cursor. */
export type ListedLog = ListedEvent & { microblock_sequence: number; tx_index: number };

/** The place of a printed event, as a cursor writes it. */
export type LogPlace = { height: number; microblockSequence: number; txIndex: number; eventIndex: number };

type LogQuery = {
  /** The print to start from; the newest without it. */
  place?: LogPlace | undefined;
  /** Prints to go down from there. */
  offset: number;
  limit: number;
  /** Reads as many prints above the page, and one below it. */
  around?: boolean;
};

export type Logs = {
  /** How often the contract has printed. */
  total: number;
  /** How many prints are newer than the first of the page. */
  start: number;
  page: ListedLog[];
  /** The print at which the page above begins, where requested. */
  newer: ListedLog | undefined;
  /** The print below the page, where requested. */
  older: ListedLog | undefined;
};

type LogRow = ListedLog & { total: number; start: number; top: number };

/** Prints that a page may be away from the newest for its block to be walked to; deeper ones are searched for. */
const MAX_WALKED = 1000;

/** What a contract printed, newest first. */
export async function listLogs(sql: Sql, contract: Uint8Array, query: LogQuery, most = MAX_WALKED): Promise<Logs> {
  const { limit, offset, around = false } = query;
  const rows = await sql<LogRow[]>`
    with who as (
      select p.id, f.height as tip
      from principals p
      cross join fold_position f
      where p.name = ${contract}
    ), wanted as (
      select w.id, w.tip, c.total, c.start,
        ${around ? sql`greatest(c.start - ${limit}::int8, 0)` : sql`c.start`} as top,
        ${around ? sql`least(c.start, ${limit}::int8) + 1` : sql`0`} + ${limit}::int8 as rows
      from who w
      cross join lateral (
        select coalesce(${totalAt(sql, sql`w.tip`)}, 0) as total,
          ${query.place ? newerThan(sql, query.place) : sql`0`} + ${offset}::int8 as start
        offset 0 -- counted once for all its uses
      ) c
    ), start as (
      select h.height, ${totalAt(sql, sql`h.height`)} - (w.total - w.top) as skip
      from wanted w
      cross join lateral (select ${firstBlock(sql, query, most)} as height offset 0) h
      where w.total > w.top
    ), page as (
      select e.height, e.place, e.event_index
      from wanted w
      cross join start s
      join events e on e.asset = w.id and e.kind = ${constant(sql, eventCodes.print)} and e.height <= s.height
        and e.height >= coalesce((
          -- The block of the page's last print, by the index alone: the planner would rather sort all the contract printed.
          select l.height
          from events l
          where l.asset = w.id and l.kind = ${constant(sql, eventCodes.print)} and l.height <= s.height
          order by l.height desc
          limit 1
          offset s.skip + w.rows - 1
        ), 0)
      order by e.height desc, e.place desc, e.event_index desc
      limit (select w.rows from wanted w)
      offset (select s.skip from start s)
    ), ranked as (
      select p.*, row_number() over (order by p.height desc, p.place desc, p.event_index desc) as n
      from page p
    ), shown as (
      select ${listedEvent(sql)}, t.microblock_sequence, t.tx_index
      from wanted w
      -- Of what is above the page only its first print counts.
      join ranked e on e.n = 1 or e.n > w.start - w.top
      join transactions t on t.height = e.height and t.place = e.place
    )
    select s.*, w.total, least(w.start, 2147483647)::int as start, least(w.top, 2147483647)::int as top
    from wanted w
    left join shown s on true
    order by s.height desc, s.place desc, s.event_index desc
  `;
  const [first] = rows;
  if (!first) return { total: 0, start: offset, page: [], newer: undefined, older: undefined };
  const { total, start, top } = first;
  const found = rows.filter(row => row.height !== null);
  const newer = start > top ? found.shift() : undefined;
  return { total, start, page: found.slice(0, limit), newer, older: found[limit] };
}

/**
 * The block of the first print to read, or one shortly above it. Each row of totals counts at least one print, so the walk
 * up from a position passes at most as many rows as prints are read above the page, and the walk down at most `most` rows.
 */
function firstBlock(sql: Sql, { place, offset }: LogQuery, most: number) {
  if (place) {
    return sql`coalesce((
      select c.height
      from contract_log_totals c
      where c.contract = w.id and c.height >= ${place.height}::int8 and c.height <= w.tip and c.total >= w.total - w.top
      order by c.height
      limit 1
    ), w.tip)`;
  }
  if (offset === 0) return sql`w.tip`;
  if (offset > most) return blockByHalves(sql);
  return sql`(
    select c.height
    from contract_log_totals c
    where c.contract = w.id and c.height > coalesce((
      select l.height
      from contract_log_totals l
      where l.contract = w.id and l.height <= w.tip and l.total < w.total - w.top
      order by l.height desc
      limit 1
    ), -1)
    order by c.height
    limit 1
  )`;
}

/** The running totals only grow: a search by halves finds the block of a print in some twenty seeks, however deep. */
const blockByHalves = (sql: Sql) => sql`(
  with recursive halves (low, high) as (
    select 0, w.tip
    union all
    select case when s.reached then h.low else h.middle + 1 end, case when s.reached then h.middle else h.high end
    from (select low, high, low + (high - low) / 2 as middle from halves where low < high) h
    cross join lateral (
      select coalesce(${totalAt(sql, sql`h.middle`)}, 0) >= w.total - w.top as reached
      offset 0 -- counted once for both of its uses
    ) s
  )
  select h.low
  from halves h
  where h.low = h.high
)`;

type Fragment = Statement<unknown>;

/** Prints of contract `w` up to and with a height; null before its first. */
const totalAt = (sql: Sql, height: Fragment) => sql`
  (
    select c.total
    from contract_log_totals c
    where c.contract = w.id and c.height <= ${height}
    order by c.height desc
    limit 1
  )
`;

/** How many of its prints are newer than a place. */
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
