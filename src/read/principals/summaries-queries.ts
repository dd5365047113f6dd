import { role } from '../../chain/role.ts';
import { payloadIds, statusCodes } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import type { TransactionHistoryFilter } from '../filters/filter.ts';
import type { HistoryStep } from '../filters/steps-queries.ts';
import { type CountedPage, keyedPage, withTotal } from '../pages/keyed-page-queries.ts';
import { startOfPage, startOfStep } from '../transactions/cursors-queries.ts';
import {
  type ListedSummary,
  listedColumns,
  listedSummary,
  type SummaryPage,
} from '../transactions/summaries-queries.ts';
import { countUpTo } from './transaction-pages-queries.ts';
import { listTransactionStep, MOST_TRANSACTIONS } from './transaction-steps-queries.ts';
import type { Involvement } from './transactions-queries.ts';

/** A transaction as it touched an account; `stx` also where what it paid or failed to receive is nothing. */
export type PrincipalSummary = ListedSummary & Involvement & { stx: boolean };

/** Whether the account of a history row is the one that pays the fee of the transaction `t`, even a fee of zero. */
export const paysFee = (sql: Sql, row: Statement<unknown>) => sql`
  (${row}.role & case when t.sponsor = 0 then ${constant(sql, role.sender)} else ${constant(sql, role.sponsor)} end <> 0)
`;

/**
 * Rows of an account's history that its list of transactions leaves out: transactions of others that only locked its STX,
 * and those of block 0. Both are few.
 */
const hiddenRows = (sql: Sql) => sql`
  select h.height, h.place
  from account a
  join principal_transactions h on h.principal = a.id and h.role & ${constant(sql, role.lock)} <> 0
  where h.height <= a.last and h.role = ${constant(sql, role.lock)}
  union all
  select h.height, h.place
  from account a
  join principal_transactions h on h.principal = a.id and h.height = 1 and h.role <> ${constant(sql, role.lock)}
  join transaction_extras x on x.height = h.height and x.place = h.place and x.name = 'genesis'
`;

/** Confirmed transactions that touched an account, the newest first, with their number. */
export async function listPrincipalSummaries(
  sql: Sql,
  principal: Uint8Array,
  { cursor, limit }: SummaryPage,
): Promise<CountedPage<PrincipalSummary>> {
  const rows = await sql<(PrincipalSummary & { before: boolean; total: number })[]>`
    with account as (
      select p.id, f.height as last
      from principals p
      cross join fold_position f
      where p.name = ${principal}
    ), hidden as materialized (
      ${hiddenRows(sql)}
    ), hiding as materialized (
      select count(*)::int as rows from hidden
    ), start as materialized (
      ${startOfPage(sql, cursor)}
    ), bounds as materialized (
      -- Heights that hold enough rows, by the index alone: a busy account has more than anyone wants to sort.
      select a.id, a.last, s.height, s.place,
        coalesce((
          select h.height
          from principal_transactions h
          where h.principal = a.id and h.height < s.height
          order by h.height desc
          limit 1
          offset ${limit} + (select n.rows from hiding n)
        ), 0) as lowest,
        least(a.last, (
          select h.height
          from principal_transactions h
          where h.principal = a.id and h.height > s.height
          order by h.height
          limit 1
          offset ${limit - 1} + (select n.rows from hiding n)
        )) as highest
      from account a
      cross join start s
    ), page as (
      (
        select h.height, h.place, h.role, h.sent, h.received, false as before
        from bounds b
        join principal_transactions h on h.principal = b.id and h.height between b.lowest and b.height
        where (h.height < b.height or h.place <= b.place) and ${isShown(sql)}
        order by h.height desc, h.place desc
        limit ${limit + 1}
      )
      ${cursor === undefined ? sql`` : rowBefore(sql, limit)}
    )
    select ${listedSummary(sql)}, t.fee, p.role, p.sent, p.received, p.before,
      ${touchesStx(sql, sql`p`)} as stx,
      (select ${countUpTo(sql, 'seq', sql`a.last`)} - n.rows from account a cross join hiding n) as total
    from page p
    join transactions t on t.height = p.height and t.place = p.place
    order by t.height desc, t.place desc
  `;
  return withTotal(keyedPage(rows, limit));
}

const isShown = (sql: Sql) => sql`(h.height, h.place) not in (select x.height, x.place from hidden x)`;

/** Whether a transaction `t` touched the STX of the account of a history row, which a failed transfer to it does too. */
const touchesStx = (sql: Sql, row: Statement<unknown>) => sql`
  (${row}.role & ${constant(sql, role.stx)} <> 0 or ${paysFee(sql, row)}
    or ${row}.role & ${constant(sql, role.target)} <> 0 and t.type = ${constant(sql, payloadIds.token_transfer)}
      and t.status <> ${constant(sql, statusCodes.success)})
`;

/** Those that match a filter, the newest first. */
export const listFilteredSummaries = (
  sql: Sql,
  principal: Uint8Array,
  { cursor, limit, filter }: SummaryPage & { filter: TransactionHistoryFilter },
): Promise<HistoryStep<PrincipalSummary>> =>
  listTransactionStep<PrincipalSummary>(
    sql,
    {
      ...{ principal, filter, limit, direction: 'newest', most: MOST_TRANSACTIONS },
      start: startOfStep(sql, cursor),
    },
    {
      columns: sql`
        ${listedColumns(sql)}, t.fee, h.role, h.sent, h.received, ${touchesStx(sql, sql`h`)} as stx
      `,
      joins: sql``,
    },
  );

/** The row at which the page before the start begins. */
const rowBefore = (sql: Sql, limit: number) => sql`
  union all
  (
    select n.height, n.place, n.role, n.sent, n.received, true
    from (
      select h.height, h.place, h.role, h.sent, h.received
      from bounds b
      join principal_transactions h on h.principal = b.id and h.height between b.height and b.highest
      where (h.height > b.height or h.place > b.place) and ${isShown(sql)}
      order by h.height, h.place
      limit ${limit}
    ) n
    order by n.height desc, n.place desc
    limit 1
  )
`;
