import { eventCodes } from '../../chain/event.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { listedEvent } from '../events/events-queries.ts';
import { callsFunction } from '../filters/filter-queries.ts';
import { blockOf, isNear, transactionOf } from '../filters/steps-queries.ts';
import type { BlockRange } from '../pages/block-range-params.ts';
import { inBlockRange, lastUntil } from '../pages/block-range-queries.ts';
import type { ListedLog, LogPlace } from './logs-queries.ts';
import { type PrintFilter, printMatches } from './print-filter.ts';
import { bytesOfMatches } from './print-filter-params.ts';

export type FilteredLogQuery = {
  filter: PrintFilter;
  range: BlockRange;
  /** Who sent the transaction; a compact principal. */
  sender?: Uint8Array | undefined;
  /** The function that the transaction called. */
  functionName?: string | undefined;
  /** The print to begin with; the newest without it. */
  place?: LogPlace | undefined;
  limit: number;
};

/** A page of prints; the next page begins at `older`, and there is none if it is undefined. */
export type FilteredLogs = { page: ListedLog[]; older: ListedLog | undefined };

type Start = LogPlace & { place: number };
type Scanned = ListedLog & { n: number; value: Buffer | null };

/** How many prints one request looks at: no index has their values. A page may have fewer than it could. */
const MOST_SCANNED = 1000;

/** Prints of a contract that match a filter, newest first; undefined if there is no print at the place. */
export async function listFilteredLogs(
  sql: Sql,
  contract: Uint8Array,
  query: FilteredLogQuery,
  most = MOST_SCANNED,
): Promise<FilteredLogs | undefined> {
  const { filter, limit, place } = query;
  const found = place && (await findPlace(sql, contract, place));
  if (place && found === undefined) return undefined;
  const start = place && { ...place, place: found! };
  const rows = await scan(sql, contract, query, start, most);
  const page: ListedLog[] = [];
  for (const { n, value, ...row } of rows) {
    if (page.length === limit || n > most) return { page, older: row };
    if (value !== null && printMatches(value, filter)) page.push(row);
  }
  return { page, older: undefined };
}

/** The place in its block of the transaction with a print. Block 1 also has the transactions of block 0, with indexes of their own. */
async function findPlace(sql: Sql, contract: Uint8Array, place: LogPlace): Promise<number | undefined> {
  const [found] = await sql<{ place: number }[]>`
    select e.place
    from principals p
    join events e on e.asset = p.id and e.kind = ${constant(sql, eventCodes.print)} and e.height = ${place.height}::int8
      and e.event_index = ${place.eventIndex}::int8
    join transactions t on t.height = e.height and t.place = e.place
      and t.microblock_sequence = ${place.microblockSequence}::int8 and t.tx_index = ${place.txIndex}::int8
    where p.name = ${contract}
    order by e.place desc
    limit 1
  `;
  return found?.place;
}

/** Those of the newest `most` prints that may match, and the one behind them. */
async function scan(
  sql: Sql,
  contract: Uint8Array,
  { filter, range, sender, functionName }: FilteredLogQuery,
  start: Start | undefined,
  most: number,
): Promise<Scanned[]> {
  const isPrint = (e: Statement<unknown>) =>
    sql`${e}.asset = w.id and ${e}.kind = ${constant(sql, eventCodes.print)} and ${isNear(sql, range, sql`${e}.height`)}`;
  const tests = inBlockRange(sql, range, sql`e.height`);
  if (sender) tests.push(sql`t.sender = (select s.id from principals s where s.name = ${sender})`);
  if (functionName !== undefined) tests.push(callsFunction(sql, functionName));
  const contained = bytesOfMatches(filter).map(forms =>
    forms.map(bytes => sql`position(${bytes}::bytea in e.value) > 0`).reduce((all, form) => sql`${all} or ${form}`),
  );
  const candidate = [...tests, ...contained].reduce<Statement<unknown>>(
    (all, part) => sql`${all} and (${part})`,
    sql`true`,
  );
  const from = start
    ? sql`where (e.height, e.place, e.event_index) <= (${start.height}::int8, ${start.place}::int, ${start.eventIndex}::int8)`
    : sql``;
  const ends = [
    sql`f.height`,
    ...(start ? [sql`${start.height}::int8`] : []),
    ...(range.toHeight === undefined ? [] : [sql`${range.toHeight}::int`]),
    ...(range.toTime === undefined ? [] : [lastUntil(sql, range.toTime)]),
  ].reduce((all, end) => sql`${all}, ${end}`);
  return await sql<Scanned[]>`
    with who as materialized (
      select p.id, least(${ends}) as high
      from principals p
      cross join fold_position f
      where p.name = ${contract}
    ), span as materialized (
      -- Down to the block of the last print to look at, by the index alone: the planner would rather sort all the contract printed.
      select w.id, w.high, coalesce((
        select l.height
        from events l
        where ${isPrint(sql`l`)} and l.height <= w.high ${start ? sql`and l.height < ${start.height}::int8` : sql``}
        order by l.height desc
        limit 1
        offset ${most}
      ), 0) as low
      from who w
    ), scanned as materialized (
      select e.height, e.place, e.event_index, ${candidate} as candidate
      from span w
      join events e on e.height between w.low and w.high and ${isPrint(sql`e`)}
      ${blockOf(sql, range, sql`e`)}
      ${sender || functionName !== undefined ? transactionOf(sql, sql`e`) : sql``}
      ${from}
      order by e.height desc, e.place desc, e.event_index desc
      limit ${most + 1}
    ), numbered as (
      select s.*, row_number() over (order by s.height desc, s.place desc, s.event_index desc)::int as n
      from scanned s
    )
    select ${listedEvent(sql)}, t.microblock_sequence, t.tx_index, s.n, case when s.candidate then e.value end as value
    from numbered s
    join events e on e.height = s.height and e.place = s.place and e.event_index = s.event_index
    join transactions t on t.height = s.height and t.place = s.place
    where s.candidate or s.n > ${most}
    order by s.n
  `;
}
