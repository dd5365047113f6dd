import { revision } from '../../cache/revision.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import { isBlock, type StrictBlockKey } from '../blocks/blocks-queries.ts';
import type { TransactionHistoryFilter } from '../filters/filter.ts';
import type { HistoryStep } from '../filters/steps-queries.ts';
import { type CountedPage, keyedPage, withTotal } from '../pages/keyed-page-queries.ts';
import { type ChainCursor, startOfPage, startOfStep } from './cursors-queries.ts';
import { listFilteredTransactions } from './filtered-list-queries.ts';
import { type Position, placesOf } from './positions-queries.ts';
import { extrasOf, type TransactionKey, type TransactionRow, unusualColumns } from './transactions-queries.ts';

/** The fields of a mined transaction in a list: its bytes and its position. */
export type SummaryRow = Pick<
  TransactionRow,
  | 'height'
  | 'place'
  | 'tx_index'
  | 'tx_id'
  | 'status'
  | 'microblock_sequence'
  | 'raw'
  | 'extras'
  | 'burn_target'
  | 'block_hash'
  | 'block_time'
  | 'burn_height'
  | 'burn_time'
  | 'parent_burn_time'
> & { index_hash: Buffer };

/** All that is known of one, but for what other contracts say. */
export type DetailRow = SummaryRow &
  Pick<TransactionRow, 'event_count' | 'cost' | 'result' | 'vm_error' | 'parent_hash'> & { parent_index_hash: Buffer };

/** What `renderSummary` needs of a transaction `t` in its block `b`. */
const summaryColumns = (sql: Sql) => sql`
  t.height, t.place, t.tx_index, t.tx_id, t.status, t.microblock_sequence, t.raw, b.hash as block_hash, b.index_hash,
  b.time as block_time, b.burn_height, b.burn_time, b.parent_burn_time,
  ${unusualColumns(sql)}
`;

/** A transaction of a list, with what its cursor is made of. */
export type ListedSummary = TransactionKey & Pick<TransactionRow, 'microblock_sequence' | 'tx_index' | 'extras'>;

/** `ListedSummary` of a transaction `t` in a block. */
export const listedSummary = (sql: Sql) => sql`t.height, t.place, ${listedColumns(sql)}`;

/** The same where the place is known. */
export const listedColumns = (sql: Sql) => sql`
  ${revision(sql)} as version, t.microblock_sequence, t.tx_index, case when t.height = 1 then ${extrasOf(sql)} end as extras
`;

/** The transactions at some places, in the order of the places. */
export async function listSummariesAt(
  sql: Sql,
  positions: readonly Position[],
): Promise<(SummaryRow & TransactionKey)[]> {
  return await sql<(SummaryRow & TransactionKey)[]>`
    select ${summaryColumns(sql)}, ${revision(sql)} as version
    from ${placesOf(sql, positions)} as w (height, place, n)
    join transactions t on t.height = w.height and t.place = w.place
    join blocks b on b.height = t.height
    order by w.n
  `;
}

type Fragment = ReturnType<typeof summaryColumns>;

export type SummaryPage = { cursor: ChainCursor | undefined; limit: number };

type PagedRow = ListedSummary & { before: boolean };

/** Confirmed transactions, the newest first, with the number of all; none are counted on a page without rows. */
export async function listSummaries(sql: Sql, page: SummaryPage): Promise<CountedPage<ListedSummary>> {
  const rows = await sql<(PagedRow & { total: number })[]>`
    with start as materialized (
      ${startOfPage(sql, page.cursor)}
    ), page as (
      ${pageKeys(sql, page, sql`t.height <= (select f.height from fold_position f)`)}
    )
    select ${listedSummary(sql)}, p.before,
      (select n.tx_total from fold_position f join blocks n on n.height = f.height) as total
    from page p
    join transactions t on t.height = p.height and t.place = p.place
    order by t.height desc, t.place desc
  `;
  return withTotal(keyedPage(rows, page.limit));
}

/** Those of the chain that match a filter, the newest first. */
export const listMatchingSummaries = (
  sql: Sql,
  { cursor, limit, filter }: SummaryPage & { filter: TransactionHistoryFilter },
): Promise<HistoryStep<ListedSummary>> =>
  listFilteredTransactions<ListedSummary>(
    sql,
    { filter, limit, start: startOfStep(sql, cursor) },
    { columns: listedColumns(sql) },
  );

/** Those of one block, the last first, with the number of all; undefined without such a block. */
export async function listBlockSummaries(
  sql: Sql,
  key: StrictBlockKey,
  page: SummaryPage,
): Promise<CountedPage<ListedSummary> | undefined> {
  const rows = await sql<(PagedRow & { total: number })[]>`
    with start as materialized (
      ${startOfPage(sql, page.cursor)}
    ), block as materialized (
      select b.height, b.tx_total - coalesce(e.tx_total, 0) as total
      from blocks b
      left join blocks e on e.height = b.height - 1
      where ${isBlock(sql, key)}
    ), page as (
      ${pageKeys(sql, page, sql`t.height = (select k.height from block k)`)}
    ), shown as (
      select ${listedSummary(sql)}, p.before
      from page p
      join transactions t on t.height = p.height and t.place = p.place
    )
    select s.*, k.total
    from block k
    left join shown s on true
    order by s.place desc
  `;
  const [block] = rows;
  if (!block) return undefined;
  return {
    ...keyedPage(
      rows.filter(row => row.height !== null),
      page.limit,
    ),
    total: block.total,
  };
}

/** Keys from `start` down, one more than the page has, and the one at which the page before it begins. */
const pageKeys = (sql: Sql, { cursor, limit }: SummaryPage, within: Fragment) => sql`
  select k.height, k.place, false as before
  from start s
  cross join lateral (
    select t.height, t.place
    from transactions t
    where ${within} and (t.height, t.place) <= (s.height, s.place)
    order by t.height desc, t.place desc
    limit ${limit + 1}
  ) k
  ${cursor === undefined ? sql`` : keysBefore(sql, limit, within)}
`;

const keysBefore = (sql: Sql, limit: number, within: Fragment) => sql`
  union all
  (
    select k.height, k.place, true
    from start s
    cross join lateral (
      select t.height, t.place
      from transactions t
      where ${within} and (t.height, t.place) > (s.height, s.place)
      order by t.height, t.place
      limit ${limit}
    ) k
    order by k.height desc, k.place desc
    limit 1
  )
`;

/** The confirmed transaction of an id. */
export async function findDetail(sql: Sql, id: Uint8Array): Promise<DetailRow | undefined> {
  const [row] = await sql<DetailRow[]>`
    select ${summaryColumns(sql)}, t.event_count, t.cost, t.result, t.vm_error, b.parent_hash, b.parent_index_hash
    from transactions t
    join blocks b on b.height = t.height
    where substring(t.tx_id from 1 for 7) = ${id.subarray(0, 7)} and t.tx_id = ${id}
  `;
  return row;
}

/** The confirmed ones of some transactions, the newest first. */
export async function listSummariesOf(sql: Sql, ids: readonly Uint8Array[]): Promise<ListedSummary[]> {
  return await sql<ListedSummary[]>`
    select ${listedSummary(sql)}
    from transactions t
    where substring(t.tx_id from 1 for 7) = any (${arrayLiteral(ids.map(id => id.subarray(0, 7)))}::bytea[])
      and t.tx_id = any (${arrayLiteral(ids)}::bytea[])
      and t.height <= (select f.height from fold_position f)
    order by t.height desc, t.place desc
  `;
}
