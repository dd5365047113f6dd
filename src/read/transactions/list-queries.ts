import { revision } from '../../cache/revision.ts';
import { namedState } from '../../cache/tip-queries.ts';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { Statement } from '../../db/statement.ts';
import { firstSince, lastUntil } from '../pages/block-range-queries.ts';
import { UnboundedList } from '../pages/unbounded-list-queries.ts';
import {
  conditions,
  countBetweenTimes,
  isConfirmed,
  keySource,
  source,
  type TransactionFilter,
} from './filter-queries.ts';
import type { TransactionKey } from './transactions-queries.ts';

export type TransactionListQuery = {
  filter: TransactionFilter;
  sortBy: 'block_height' | 'burn_block_time' | 'fee';
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
};

/** Where a list by several filters stops counting, and how many transactions are searched for a nonce of anybody. */
export type ListBounds = { counted: number; searched: number };
const usualBounds: ListBounds = { counted: 100_000, searched: 100_000 };

/** A page with the number of all that match; `atLeast` where more do than were counted. */
export type TransactionPage = { total: number; atLeast?: boolean; rows: TransactionKey[] };

/** Times are four bytes wide. */
const [MIN_TIME, MAX_TIME] = [-2_147_483_648, 2_147_483_647];

/** Transactions that are sorted for one page, where no index has their order. */
const MAX_SORTED = 20_000;
/** Transactions that are passed over on the way to a page, where it cannot be sought. */
const MAX_OFFSET = 20_000;
/** Transactions that are passed over on the way to a page, with those of other types between them. */
const MAX_WALKED = 200_000;

/** A page of confirmed transactions with the number of all that match. */
export async function listConfirmed(
  sql: Sql,
  query: TransactionListQuery,
  bounds = usualBounds,
): Promise<TransactionPage> {
  const { filter, sortBy } = query;
  // Without an await where it is not needed: statements before the first one are cancelled with their client.
  if (filter.nonce !== undefined && !filter.from) await refuseNonceWithoutSender(sql, filter, bounds.searched);
  const only = onlyTypes(filter);
  const seekable = sortBy === 'block_height' && only !== undefined;
  if (query.offset > MAX_OFFSET && !seekable) return pageBeyond(sql, query, only);
  if (sortBy !== 'block_height') return listSorted(sql, query, only);
  if (only === undefined) return listFiltered(sql, query, bounds.counted);
  return listOfTypes(sql, query, only);
}

/** No index has the nonce: without its sender, it is searched among few transactions or not at all. */
async function refuseNonceWithoutSender(sql: Sql, filter: TransactionFilter, most: number): Promise<void> {
  if ((await countBetweenTimes(sql, filter)) <= most) return;
  throw new UnboundedList(
    `nonce cannot be searched among more than ${most} transactions: ` +
      'give the sender as from_address, or narrow the time with start_time and end_time',
  );
}

/** A page that is too deep to walk to: empty where the list has ended before, else an error that says what to request instead. */
async function pageBeyond(sql: Sql, query: TransactionListQuery, only: number[] | 'all' | undefined) {
  const { filter, offset } = query;
  const { total } =
    only === undefined ? await countFiltered(sql, query, MAX_OFFSET + 1) : await countOfTypes(sql, only);
  const ended = only === undefined ? total <= MAX_OFFSET : total <= offset;
  if (ended) return { total, rows: [] };
  const cursors = filter.from ? '/extended/v3/principals/{principal}/transactions' : '/extended/v3/transactions';
  throw new UnboundedList(
    `offset ${offset} is too large for this list; the maximum is ${MAX_OFFSET}. ` +
      `Narrow the time with start_time and end_time, or use the cursor of ${cursors}`,
  );
}

/** By fee or time: an index has the order of all transactions; of others, a bounded number is sorted. */
async function listSorted(sql: Sql, query: TransactionListQuery, only: number[] | 'all' | undefined) {
  const { total } =
    only === undefined ? await countFiltered(sql, query, MAX_SORTED + 1) : await countOfTypes(sql, only);
  if (only !== 'all' && total <= MAX_SORTED) {
    return { total, rows: await pageOf(sql, query, sortedKeys(sql, query)) };
  }
  if (only === undefined) {
    throw new UnboundedList(
      `more than ${MAX_SORTED} transactions match, too many to sort by ${query.sortBy}: ` +
        'narrow them by start_time and end_time, or sort by block_height',
    );
  }
  const { total: all } = only === 'all' ? { total } : await countOfTypes(sql, 'all');
  if ((query.offset + query.limit) * (all / total) > MAX_WALKED) {
    throw new UnboundedList(
      `offset ${query.offset} is too deep for transactions of these types sorted by ${query.sortBy}: ` +
        'narrow them by start_time and end_time, or sort by block_height',
    );
  }
  return { total, rows: await pageOf(sql, query, filteredKeys(sql, query, query.offset)) };
}

/** A page of transactions with the number of all that match; on request those of the stream on the tip count too. */
export async function listTransactions(
  pool: Reader,
  query: TransactionListQuery,
  unanchored = false,
  bounds = usualBounds,
): Promise<TransactionPage> {
  const byHeight = query.sortBy === 'block_height';
  // One statement sees one state of the database anyway.
  if (byHeight && !unanchored && onlyTypes(query.filter) !== undefined) return await listConfirmed(pool, query, bounds);
  return await inSnapshot(pool, async sql => {
    const stream = unanchored && byHeight ? await listStreamTransactions(sql, query.filter) : [];
    return stream.length === 0
      ? await listConfirmed(sql, query, bounds)
      : await listWithUnconfirmed(sql, query, stream, bounds);
  });
}

/** A page of transactions where the stream on the tip has some that match. */
async function listWithUnconfirmed(
  sql: Sql,
  query: TransactionListQuery,
  stream: TransactionKey[],
  bounds: ListBounds,
): Promise<TransactionPage> {
  const { limit, offset, order } = query;
  if (order === 'desc') {
    const first = stream.slice(offset, offset + limit);
    const below = { ...query, offset: Math.max(0, offset - stream.length), limit: limit - first.length };
    const { total, rows, ...counted } = await listConfirmed(sql, below, bounds);
    return { ...counted, total: total + stream.length, rows: [...first, ...rows] };
  }
  const { total, rows, ...counted } = await listConfirmed(sql, query, bounds);
  const from = Math.max(0, offset - total);
  const last = stream.reverse().slice(from, from + limit - rows.length);
  return { ...counted, total: total + stream.length, rows: [...rows, ...last] };
}

/** Matching transactions of the stream on the tip, last one first. */
export async function listStreamTransactions(sql: Sql, filter: TransactionFilter): Promise<TransactionKey[]> {
  if (filter.startTime !== undefined || filter.endTime !== undefined) return [];
  return await sql<TransactionKey[]>`
    select t.height, t.place, null as version
    from ${source(sql, filter)}
    where t.height = (select f.height + 1 from fold_position f) and ${conditions(sql, filter)}
    order by t.place desc
  `;
}

/** The payload ids where nothing but a time is requested beside them. */
const onlyTimes = ({ startTime: _start, endTime: _end, ...others }: TransactionFilter) => onlyTypes(others);

/** The payload ids where nothing else is requested: their running totals are stored with each block. */
function onlyTypes({ payloadIds: ids, ...others }: TransactionFilter): number[] | 'all' | undefined {
  if (Object.values(others).some(value => value !== undefined)) return undefined;
  return ids ?? 'all';
}

/** Transactions up to and with block `b`: all of them, or those of some types. */
const runningTotal = (sql: Sql, types: number[] | 'all') =>
  types === 'all'
    ? sql`b.tx_total`
    : sql`(select coalesce(sum(b.type_totals[i + 1]), 0)::int from unnest(${types}::int[]) i)`;

const totalAt = (sql: Sql, types: number[] | 'all', height?: number) => sql`
  select ${runningTotal(sql, types)} as total
  from blocks b
  ${height === undefined ? sql`` : sql`where b.height <= ${height}`}
  order by b.height desc
  limit 1
`;

/** How many transactions of some types there are, up to a height where one is given. */
export async function countOfTypes(sql: Sql, types: number[] | 'all', height?: number): Promise<{ total: number }> {
  const [row] = await sql<
    { total: number }[]
  >`select t.total, ${namedState(sql)} from (${totalAt(sql, types, height)}) t`;
  return { total: row?.total ?? 0 };
}

/**
 * Finds the block where the page starts by a binary search over the running totals, so that the last page costs as much as
 * the first one.
 */
async function listOfTypes(sql: Sql, query: TransactionListQuery, types: number[] | 'all') {
  const { limit, offset, order } = query;
  const falling = order === 'desc';
  const direction = falling ? sql`desc` : sql`asc`;
  const from = falling
    ? sql`t.height <= (select s.height from start s)`
    : sql`t.height >= (select s.height from start s) and ${isConfirmed(sql)}`;
  // With type = i, the planner would walk the whole chain by its key for a type without transactions.
  const ofType = falling
    ? sql`t.type >= i and (t.type, t.height) <= (i, s.height)`
    : sql`t.type <= i and (t.type, t.height) >= (i, s.height) and ${isConfirmed(sql)}`;
  const keys =
    types === 'all'
      ? sql`
          select t.height, t.place
          from transactions t
          where ${from}
          order by t.height ${direction}, t.place ${direction}
        `
      : sql`
          select t.height, t.place
          from start s
          cross join unnest(${types}::int[]) i
          cross join lateral (
            select t.height, t.place
            from transactions t
            where ${ofType}
            order by t.type ${direction}, t.height ${direction}, t.place ${direction}
            limit s.skip + ${limit}
          ) t
          order by t.height ${direction}, t.place ${direction}
        `;
  const rows = await sql<(TransactionKey & { total: number })[]>`
    with recursive counted as (
      ${totalAt(sql, types)}
    ), wanted as (
      -- The first row of the page is the n-th transaction of the chain, counted from 1.
      select c.total, ${falling ? sql`c.total - ${offset}::int8` : sql`${offset}::int8 + 1`} as nth
      from counted c
      where c.total > ${offset}::int8
    ), halves (low, high) as (
      ${offset === 0 && falling ? newestBlock(sql) : halves(sql, types)}
    ), start as materialized (
      select
        f.low as height,
        ${falling ? sql`${runningTotal(sql, types)} - w.nth` : sql`w.nth - 1 - ${totalBefore(sql, types)}`} as skip
      from (select low from halves where low = high) f
      cross join wanted w
      join blocks b on b.height = f.low
    ), page as materialized (
      ${keys}
      limit ${limit}
      offset (select s.skip from start s)
    )
    select p.height, p.place, ${revision(sql)} as version, (select w.total from wanted w) as total, ${namedState(sql)}
    from page p
    order by p.height ${direction}, p.place ${direction}
  `;
  const { total } = rows[0] ?? (await countOfTypes(sql, types));
  return { total, rows };
}

/** The newest page starts in the newest block. */
const newestBlock = (sql: Sql) => sql`select l.height, l.height from (select max(b.height) as height from blocks b) l`;

/** Narrows the heights down to the block that holds the `nth` of `wanted`. */
const halves = (sql: Sql, types: number[] | 'all') => sql`
  select (select min(b.height) from blocks b), (select max(b.height) from blocks b) from wanted
  union all
  select
    case when s.reached then h.low else h.middle + 1 end,
    case when s.reached then h.middle else h.high end
  from (select low, high, (low + high) / 2 as middle from halves where low < high) h
  cross join wanted w
  cross join lateral (
    select ${runningTotal(sql, types)} >= w.nth as reached from blocks b where b.height = h.middle
  ) s
`;

/** The running total before the block that `halves` found. */
const totalBefore = (sql: Sql, types: number[] | 'all') => sql`
  coalesce((select ${runningTotal(sql, types)} from blocks b where b.height = f.low - 1), 0)
`;

async function listFiltered(sql: Sql, query: TransactionListQuery, most: number): Promise<TransactionPage> {
  const types = onlyTimes(query.filter);
  const [{ total }, rows] = await Promise.all([
    types === undefined ? countFiltered(sql, query, most + 1) : countOfTimes(sql, query.filter, types),
    pageOf(sql, query, filteredKeys(sql, query, query.offset)),
  ]);
  if (types !== undefined) return { total, rows };
  return { total: Math.min(total, most), atLeast: total > most, rows };
}

/**
 * How many transactions of some types there are between two times: the running totals tell those of the blocks that lie between
 * the times for certain, and the blocks around both ends are looked at one by one.
 */
async function countOfTimes(
  sql: Sql,
  { startTime = MIN_TIME, endTime = MAX_TIME }: TransactionFilter,
  types: number[] | 'all',
): Promise<{ total: number }> {
  const totalUpTo = (height: Statement<unknown>) => sql`
    coalesce((select ${runningTotal(sql, types)} from blocks b where b.height <= ${height} order by b.height desc limit 1), 0)
  `;
  const ownCount = sql`
    (select ${runningTotal(sql, types)} from blocks b where b.height = z.height)
      - coalesce((select ${runningTotal(sql, types)} from blocks b where b.height < z.height order by b.height desc limit 1), 0)
  `;
  const [count] = await sql<{ total: number }[]>`
    with ends as (
      select ${firstSince(sql, startTime)} as first, ${lastUntil(sql, endTime)} as last,
        ${firstSince(sql, startTime, 'certain')} as inner_first, ${lastUntil(sql, endTime, 'certain')} as inner_last
    ), parts as (
      select e.first, e.last, e.inner_last, case when e.inner_first <= e.inner_last then e.inner_first end as inner_first
      from ends e
    )
    select (
      case when p.inner_first is null then 0
        else ${totalUpTo(sql`p.inner_last`)} - ${totalUpTo(sql`p.inner_first - 1`)} end
      + coalesce((
        select sum(${ownCount})
        from blocks z
        where z.height between p.first and coalesce(p.inner_first - 1, p.last)
          and z.burn_time between ${startTime}::int and ${endTime}::int
      ), 0)
      + coalesce((
        select sum(${ownCount})
        from blocks z
        where p.inner_first is not null and z.height between p.inner_last + 1 and p.last
          and z.burn_time between ${startTime}::int and ${endTime}::int
      ), 0)
    )::int as total, ${namedState(sql)}
    from parts p
  `;
  return { total: count?.total ?? 0 };
}

/** How many transactions match, up to a bound. */
async function countFiltered(sql: Sql, { filter }: TransactionListQuery, most: number): Promise<{ total: number }> {
  const [count] = await sql<{ total: number }[]>`
    select count(*)::int as total, ${namedState(sql)}
    from (
      select 1
      from ${keySource(sql, filter)}
      where ${isConfirmed(sql)} and ${conditions(sql, filter)}
      limit ${most}
    ) c
  `;
  return { total: count?.total ?? 0 };
}

/** A page of few transactions, which are all read and sorted: walking an index of their order could pass over all others. */
function sortedKeys(sql: Sql, query: TransactionListQuery) {
  const { filter, sortBy, limit, offset } = query;
  const byTime = sortBy === 'burn_block_time';
  return sql`
    select t.height, t.place
    from (
      select t.height, t.place, t.fee${byTime ? sql`, b.burn_time` : sql``}
      from ${source(sql, filter, byTime)}
      where ${isConfirmed(sql)} and ${conditions(sql, filter)}
      offset 0 -- read by what narrows them most
    ) t
    ${byTime ? sql`cross join lateral (select t.burn_time) b` : sql``}
    order by ${ordering(sql, query)}
    limit ${limit}
    offset ${offset}
  `;
}

function filteredKeys(sql: Sql, query: TransactionListQuery, offset: number) {
  const { filter, limit, sortBy } = query;
  return sql`
    select t.height, t.place
    from ${sortBy === 'block_height' ? keySource(sql, filter) : source(sql, filter, sortBy === 'burn_block_time')}
    where ${isConfirmed(sql)} and ${conditions(sql, filter)}
    order by ${ordering(sql, query)}
    limit ${limit}
    offset ${offset}
  `;
}

/** A page of places with the versions, in its order. */
async function pageOf(sql: Sql, query: TransactionListQuery, keys: Statement<unknown>): Promise<TransactionKey[]> {
  return await sql<TransactionKey[]>`
    with page as materialized (${keys})
    select t.height, t.place, ${revision(sql)} as version, ${namedState(sql)}
    from ${query.sortBy === 'block_height' ? sql`page t` : sql`page join transactions t using (height, place)`}
    ${query.sortBy === 'burn_block_time' ? sql`join blocks b on b.height = t.height` : sql``}
    order by ${ordering(sql, query)}
  `;
}

function ordering(sql: Sql, { sortBy, order }: TransactionListQuery) {
  const direction = order === 'desc' ? sql`desc` : sql`asc`;
  const place = sql`t.height ${direction}, t.place ${direction}`;
  if (sortBy === 'burn_block_time') return sql`b.burn_time ${direction}, ${place}`;
  return sortBy === 'fee' ? sql`t.fee ${direction}, ${place}` : place;
}
