import { revision } from '../../cache/revision.ts';
import { signingRoles } from '../../chain/role.ts';
import { statusCodes } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { isBlock, type StrictBlockKey } from '../blocks/blocks-queries.ts';
import type { TransactionHistoryFilter } from '../filters/filter.ts';
import { transactionMatches } from '../filters/filter-queries.ts';
import {
  blockOf,
  endStep,
  type HistoryPlace,
  type HistoryStep,
  isBeyondStart,
  isNear,
  principalSubject,
  stepOf,
  transactionOf,
} from '../filters/steps-queries.ts';
import type { TransactionKey } from './transactions-queries.ts';

type Fragment = Statement<unknown>;

/** Transactions that a request for those of the whole chain looks at. */
export const MOST_LISTED = 500;

type FilteredListRequest = {
  filter: TransactionHistoryFilter;
  /** A query of one row with `height`, `place` and `event_index`. */
  start: Fragment;
  limit: number;
};

/** The index that narrows a list most: rows `r` of the subject `id`. */
type ListIndex = { subject: Fragment; table: Fragment; where: (id: Fragment) => Fragment };

function indexOf(
  sql: Sql,
  { sender, recipient, contract, functionName, outcome }: TransactionHistoryFilter,
): ListIndex {
  const transactions = sql`transactions`;
  if (sender) {
    return {
      subject: principalSubject(sql, sender),
      table: sql`principal_transactions`,
      where: id => sql`r.principal = ${id} and r.role & ${constant(sql, signingRoles)} <> 0`,
    };
  }
  const target = contract ?? recipient;
  if (target) {
    return {
      subject: principalSubject(sql, target),
      table: transactions,
      where: id => sql`r.target = ${id} and r.target <> 0`,
    };
  }
  if (functionName !== undefined) {
    return {
      subject: sql`select n.id from functions n where n.name = ${functionName}`,
      table: transactions,
      where: id => sql`r.function = ${id} and r.function <> 0`,
    };
  }
  const chain = sql`select 0 as id`;
  return outcome === undefined || outcome === 'success'
    ? { subject: chain, table: transactions, where: () => sql`true` }
    : { subject: chain, table: transactions, where: () => sql`r.status <> ${constant(sql, statusCodes.success)}` };
}

/** Confirmed transactions that match a filter, the newest first. `columns` add to the transaction `t`. */
export async function listFilteredTransactions<Row>(
  sql: Sql,
  { filter, start, limit }: FilteredListRequest,
  { columns }: { columns: Fragment },
): Promise<HistoryStep<Row & { height: number; place: number; event_index: number }>> {
  type Found = Row & { height: number; place: number; event_index: number };
  const { subject, table, where } = indexOf(sql, filter);
  const step = stepOf(sql, {
    ...{ subject, start, range: filter.range, direction: 'newest', most: MOST_LISTED },
    sources: [{ table, where: where(sql`w.id`) }],
  });
  const rows = await sql<({ edge: number | null } & (Found | { height: null }))[]>`
    with ${step},
    looked as materialized (
      select r.height, r.place
      from step x
      join ${table} r on ${where(sql`x.id`)} and r.height between x.low and x.high
      where ${isNear(sql, filter.range, sql`r.height`)} and ${isBeyondStart(sql, 'newest', sql`r.height, r.place::int, 0`)}
    ), page as (
      select h.height, h.place
      from looked h
      ${transactionOf(sql, sql`h`)}
      ${blockOf(sql, filter.range, sql`h`)}
      where ${transactionMatches(sql, filter)}
      order by h.height desc, h.place desc
      limit ${limit + 1}
    ), shown as (
      select h.height, h.place, 0 as event_index, ${columns}
      from page h
      join transactions t on t.height = h.height and t.place = h.place
    )
    select x.edge, s.*
    from step x
    left join shown s on true
    order by s.height desc, s.place desc
  `;
  return endStep<Found>(rows, limit, 'newest');
}

/** The keys of the same. */
export const listFilteredTransactionKeys = (sql: Sql, request: FilteredListRequest) =>
  listFilteredTransactions<Pick<TransactionKey, 'version'>>(sql, request, {
    columns: sql`${revision(sql)} as version`,
  });

/** Transactions of a block that match a filter, in its order, from a place on; undefined without such a block. */
export async function listFilteredOfBlock(
  sql: Sql,
  key: StrictBlockKey,
  { filter, place, limit }: { filter: TransactionHistoryFilter; place: HistoryPlace | undefined; limit: number },
): Promise<HistoryStep<TransactionKey> | undefined> {
  const rows = await sql<(TransactionKey | { height: null })[]>`
    select t.height, t.place, ${revision(sql)} as version
    from blocks b
    left join lateral (
      select t.height, t.place
      from transactions t
      where t.height = b.height and t.place >= ${place?.place ?? 0}::int and ${transactionMatches(sql, filter)}
      order by t.place
      limit ${limit + 1}
    ) t on true
    where ${isBlock(sql, key)}
    order by t.place
  `;
  if (rows.length === 0) return undefined;
  const found = rows.filter((row): row is TransactionKey => row.height !== null);
  const following = found[limit];
  const next = following && { height: following.height, place: following.place, eventIndex: 0 };
  return { rows: found.slice(0, limit), next, following };
}
