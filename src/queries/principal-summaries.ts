import type { Sql } from '../db/client.ts';
import { countUpTo } from './account-pages.ts';
import { startOfPage } from './chain-cursors.ts';
import { type CountedPage, keyedPage, withTotal } from './keyed-page.ts';
import type { Involvement } from './principal-transactions.ts';
import { type ListedSummary, listedSummary, type SummaryPage } from './transaction-summaries.ts';

/** A transaction as it touched an account. */
export type PrincipalSummary = ListedSummary & Involvement;

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
          offset ${limit}
        ), 0) as lowest,
        least(a.last, (
          select h.height
          from principal_transactions h
          where h.principal = a.id and h.height > s.height
          order by h.height
          limit 1
          offset ${limit - 1}
        )) as highest
      from account a
      cross join start s
    ), page as (
      (
        select h.height, h.place, h.role, h.sent, h.received, false as before
        from bounds b
        join principal_transactions h on h.principal = b.id and h.height between b.lowest and b.height
        where h.height < b.height or h.place <= b.place
        order by h.height desc, h.place desc
        limit ${limit + 1}
      )
      ${cursor === undefined ? sql`` : rowBefore(sql, limit)}
    )
    select ${listedSummary(sql)}, t.fee, p.role, p.sent, p.received, p.before,
      (select ${countUpTo(sql, 'seq', sql`a.last`)} from account a) as total
    from page p
    join transactions t on t.height = p.height and t.place = p.place
    order by t.height desc, t.place desc
  `;
  return withTotal(keyedPage(rows, limit));
}

/** The row at which the page before the start begins. */
const rowBefore = (sql: Sql, limit: number) => sql`
  union all
  (
    select n.height, n.place, n.role, n.sent, n.received, true
    from (
      select h.height, h.place, h.role, h.sent, h.received
      from bounds b
      join principal_transactions h on h.principal = b.id and h.height between b.height and b.highest
      where h.height > b.height or h.place > b.place
      order by h.height, h.place
      limit ${limit}
    ) n
    order by n.height desc, n.place desc
    limit 1
  )
`;
