import { totalOfPage } from '../../compat/page-total.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { type CountedPage, keyedPage } from '../pages/keyed-page-queries.ts';
import type { ChainCursor } from '../transactions/cursors-queries.ts';
import { placeOf } from '../transactions/cursors-queries.ts';

type Fragment = Statement<unknown>;

/** Where a page of events starts, newest first; the event there may be gone. */
export type EventCursor = ChainCursor & { eventIndex: number };

export type EventPageRequest = { cursor: EventCursor | undefined; limit: number };

/** The position of an event, with the parts of its cursor. */
export type EventPositionRow = {
  height: number;
  place: number;
  event_index: number;
  microblock_sequence: number;
  tx_index: number;
  tx_id: Buffer;
  block_hash: Buffer;
  index_hash: Buffer;
  block_time: number;
  burn_height: number;
  burn_time: number;
  /** Of block 0, which is shown in block 1 and shares its indexes. */
  genesis: boolean;
};

/** Above every place in a block and every event of a transaction. */
const topPlace = 32_767;
const topIndex = 2_147_483_647;

/** A list of events: a table or a selection `k` with their positions, by whose index it is read, the condition that makes the list, its number of rows. */
type EventList = { table: string | Fragment; where: Fragment; total: Fragment };

/** A page of a list of confirmed events, the newest first; `columns` and `joins` add to the event `e` of each. */
export async function listEventPositions<Row>(
  sql: Sql,
  list: EventList,
  page: EventPageRequest,
  { columns, joins, events = eventsAt(sql) }: { columns: Fragment; joins: Fragment; events?: Fragment },
): Promise<CountedPage<EventPositionRow & Row>> {
  type Found = EventPositionRow & Row & { before: boolean };
  // The page is read once: what is joined to it must not be read first, however small a table looks to the planner.
  const rows = await sql<({ total: number } & (Found | { height: null }))[]>`
    with start as materialized (
      ${startOfEvents(sql, page.cursor, list)}
    ), page as materialized (
      ${keysFrom(sql, list, page.limit)}
      ${page.cursor === undefined ? sql`` : keyBefore(sql, list, page.limit)}
    ), shown as (
      select p.height, p.place, p.event_index, p.before, ${positionColumns(sql, sql`p`)}, ${columns}
      from page p
      join transactions t on t.height = p.height and t.place = p.place
      join blocks b on b.height = p.height
      ${events}
      ${joins}
    )
    select n.total, s.*
    from (select coalesce((${list.total}), 0)::int as total) n
    left join shown s on true
    order by s.height desc, s.place desc, s.event_index desc
  `;
  const found = rows.filter((row): row is { total: number } & Found => row.height !== null);
  return { ...keyedPage(found, page.limit), total: totalOfPage(rows) };
}

/** The position of an event: of the row with its place, its transaction `t` and its block `b`. */
export const positionColumns = (sql: Sql, row: Fragment) => sql`
  t.microblock_sequence, t.tx_index, t.tx_id, b.hash as block_hash, b.index_hash, b.time as block_time, b.burn_height, b.burn_time,
  ${row}.height = 1 and coalesce((
    select true from transaction_extras x where x.height = 1 and x.place = ${row}.place and x.name = 'genesis'
  ), false) as genesis
`;

const eventsAt = (sql: Sql) => sql`
  join events e on e.height = p.height and e.place = p.place and e.event_index = p.event_index
`;

/** A table by its name, or a selection in its place. */
export const tableOf = (sql: Sql, table: string | Fragment) => (typeof table === 'string' ? sql(table) : table);

const position = (sql: Sql) => sql`k.height, k.place, k.event_index`;

const keysFrom = (sql: Sql, { table, where }: EventList, limit: number) => sql`
  select k.height, k.place, k.event_index, false as before
  from start s
  cross join lateral (
    select ${position(sql)}
    from ${tableOf(sql, table)} k
    where ${where} and (${position(sql)}) <= (s.height, s.place, s.event_index)
    order by k.height desc, k.place desc, k.event_index desc
    limit ${limit + 1}
  ) k
`;

/** The key at which the page before the start begins. */
const keyBefore = (sql: Sql, { table, where }: EventList, limit: number) => sql`
  union all
  (
    select k.height, k.place, k.event_index, true
    from start s
    cross join lateral (
      select ${position(sql)}
      from ${tableOf(sql, table)} k
      where ${where} and (${position(sql)}) > (s.height, s.place, s.event_index)
        and k.height <= (select f.height from fold_position f)
      order by k.height, k.place, k.event_index
      limit ${limit}
    ) k
    order by k.height desc, k.place desc, k.event_index desc
    limit 1
  )
`;

/**
 * The position of a cursor, or the tip. `H:0:0:0` means the whole block unless a row of the list has that position; without a
 * list, unless there is such a transaction.
 */
export function startOfEvents(sql: Sql, cursor: EventCursor | undefined, list?: EventList) {
  const top = sql`${constant(sql, topPlace)}::int2`;
  const last = sql`${constant(sql, topIndex)}::int`;
  if (cursor === undefined) return sql`select f.height, ${top} as place, ${last} as event_index from fold_position f`;
  const { microblockSequence, txIndex, eventIndex } = cursor;
  const genesis = cursor.height === 0;
  const height = genesis ? 1 : cursor.height;
  const zeros = microblockSequence === 0 && txIndex === 0 && eventIndex === 0;
  return sql`
    select least(${height}::int, f.height) as height,
      case when ${height}::int > f.height then ${top} else coalesce(x.place, n.place) end::int2 as place,
      case when ${height}::int > f.height or x.place is null then ${last} else ${eventIndex}::int end as event_index
    from fold_position f
    left join lateral (
      select t.place
      from transactions t
      where t.height = ${height}::int and t.microblock_sequence = ${microblockSequence}::int
        and t.tx_index = ${txIndex}::int ${height === 1 ? sql`and exists (select from transaction_extras g where g.height = 1 and g.place = t.place and g.name = 'genesis') = ${genesis}::bool` : sql``}
        ${
          list && zeros && !genesis
            ? sql`and exists (
                select from ${tableOf(sql, list.table)} k
                where ${list.where} and k.height = t.height and k.place = t.place and k.event_index = 0
              )`
            : sql``
        }
      limit 1
    ) x on true
    cross join lateral (
      select ${zeros ? top : genesis ? sql`-1` : placeOf(sql, { height, microblockSequence, txIndex })}::int2 as place
    ) n
  `;
}
