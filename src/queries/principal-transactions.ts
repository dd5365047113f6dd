import { role } from '../chain/role.ts';
import type { Sql } from '../db/client.ts';
import { type Account, accountAt, countUpTo, highestOf, lowestOf, type Page } from './account-pages.ts';
import {
  type Transaction,
  type TransactionRow,
  transactionColumns,
  unanchoredJoins,
  withFunctions,
} from './transactions.ts';

/** What a transaction was to the account: `src/chain/role.ts`, and the STX it moved, the fee apart. */
export type Involvement = { role: number; sent: string; received: string };

export type PrincipalTransaction = Transaction & Involvement;

export type PrincipalTransactions = { total: number; rows: PrincipalTransaction[] };

/**
 * Which transactions of block 0, shown in block 1, a list leaves out: `all` of them, or those that moved nothing for the
 * account (`idle`).
 */
export type HiddenGenesis = 'all' | 'idle';

/** Transactions that touched an account, the newest first. A page without rows says zero, as callers know it. */
export async function listPrincipalTransactions(
  sql: Sql,
  account: Account,
  { limit, offset }: Page,
  hidden: HiddenGenesis,
): Promise<PrincipalTransactions> {
  const rows = await sql<(TransactionRow & Involvement & { total: number })[]>`
    with recursive account as (
      ${accountAt(sql, account)}
    ), hidden as (
      select h.place
      from account a
      join principal_transactions h on h.principal = a.id and h.height = 1
      join transaction_extras x on x.height = h.height and x.place = h.place and x.name = 'genesis'
      where a.first <= 1 and a.last >= 1 and ${hides(sql, hidden)}
    ), counted as (
      select
        a.id,
        ${countUpTo(sql, 'seq', sql`a.first - 1`)} as before,
        ${countUpTo(sql, 'seq', sql`a.last`)} as newest,
        -- Only in block 1 are rows left out: what is newer is passed over by number, the rest one by one.
        case when exists (select from hidden) then ${countUpTo(sql, 'seq', sql`1`)} else 0 end as oldest
      from account a
    ), span as (
      select
        c.newest,
        c.before as lower,
        c.newest - least(${offset}::int8, c.newest - greatest(c.before, c.oldest)) as upper,
        greatest(${offset}::int8 - (c.newest - greatest(c.before, c.oldest)), 0) as rest,
        c.newest - c.before - (select count(*) from hidden) as total
      from counted c
    ), ${highestOf(sql, 'seq')}, page as (
      select h.height, h.place, h.role, h.sent, h.received, s.total::int as total
      from account a
      cross join span s
      join principal_transactions h on h.principal = a.id
        and h.height >= a.first
        and h.height <= (select min(n.high) from highest n)
        and h.seq <= s.upper
      where h.height <> 1 or h.place not in (select x.place from hidden x)
      order by h.height desc, h.place desc
      limit ${limit}
      offset (select s.rest from span s)
    )
    select ${transactionColumns(sql)}, p.role, p.sent, p.received, p.total
    from page p
    join transactions t on t.height = p.height and t.place = p.place
    ${unanchoredJoins(sql)}
    order by p.height desc, p.place desc
  `;
  return { total: rows[0]?.total ?? 0, rows: await withInvolvement(sql, rows) };
}

/**
 * The same with the transactions of a block by the index that the node gave them: those of confirmed microblocks, which
 * ran first, have the highest.
 */
export async function listPrincipalTransactionsByIndex(
  sql: Sql,
  account: Account,
  { limit, offset }: Page,
): Promise<PrincipalTransactions> {
  const rows = await sql<(TransactionRow & Involvement & { total: number })[]>`
    with recursive account as (
      ${accountAt(sql, account)}
    ), span as (
      select
        c.newest,
        c.newest - c.before as total,
        c.newest - ${offset}::int8 as upper,
        greatest(c.newest - ${offset}::int8 - ${limit}::int8, c.before) as lower
      from (
        select
          ${countUpTo(sql, 'seq', sql`a.first - 1`)} as before,
          ${countUpTo(sql, 'seq', sql`a.last`)} as newest
        from account a
      ) c
    ), ${highestOf(sql, 'seq')}, ${lowestOf(sql, 'seq')}, numbered as (
      select h.height, h.place, h.role, h.sent, h.received,
        max(h.seq) over (partition by h.height) + 1
          - row_number() over (partition by h.height order by t.tx_index desc, h.place) as n
      from account a
      join principal_transactions h on h.principal = a.id
        and h.height between (select min(n.high) from lowest n) and (select min(n.high) from highest n)
      -- The limit says that each is a seek: the planner cannot know how few blocks a page spans.
      cross join lateral (
        select t.tx_index
        from transactions t
        where t.height = h.height and t.place = h.place
        limit 1
      ) t
    ), page as (
      select p.height, p.place, p.role, p.sent, p.received, p.n, s.total::int as total
      from numbered p
      join span s on p.n > s.lower and p.n <= s.upper
      order by p.n desc
      limit ${limit}
    )
    select ${transactionColumns(sql)}, p.role, p.sent, p.received, p.total
    from page p
    join transactions t on t.height = p.height and t.place = p.place
    ${unanchoredJoins(sql)}
    order by p.n desc
  `;
  return { total: rows[0]?.total ?? 0, rows: await withInvolvement(sql, rows) };
}

/** A transaction as it touched an account; undefined when it did not. */
export async function findPrincipalTransaction(
  sql: Sql,
  principal: Uint8Array,
  txId: Uint8Array,
): Promise<PrincipalTransaction | undefined> {
  const rows = await sql<(TransactionRow & Involvement)[]>`
    select ${transactionColumns(sql)}, h.role, h.sent, h.received
    from principals p
    join transactions t on substring(t.tx_id from 1 for 8) = ${txId.subarray(0, 8)} and t.tx_id = ${txId}
    join principal_transactions h on h.principal = p.id and h.height = t.height and h.place = t.place
    ${unanchoredJoins(sql)}
    where p.name = ${principal}
  `;
  return (await withInvolvement(sql, rows))[0];
}

const moved = role.stx | role.ft | role.nft;

const hides = (sql: Sql, hidden: HiddenGenesis) => (hidden === 'idle' ? sql`h.role & ${moved}::int = 0` : sql`true`);

/** Adding the interfaces of called contracts keeps every other column. */
const withInvolvement = async (sql: Sql, rows: (TransactionRow & Involvement)[]) =>
  (await withFunctions(sql, rows)) as PrincipalTransaction[];
