import type { Pool, Sql } from '../db/client.ts';
import { inSnapshot } from '../db/snapshot.ts';
import type { Statement } from '../db/statement.ts';

export type HolderRow = { name: Buffer; balance: string };

/** A page of those who have a token, largest first, with the supply and the number of all of them. */
export type Holders = { supply: string; total: number; rows: HolderRow[] };

export type Page = { limit: number; offset: number };

/** Rows that a page may lie away from the nearer end of the list: what is counted past on each request. */
const MOST_PASSED = 100_000;

/** Those who have STX. The key of STX among the assets is 0. */
export async function listStxHolders(pool: Pool, page: Page, most = MOST_PASSED): Promise<Holders | 'too deep'> {
  const stx = (sql: Sql) => sql`
    select 0 as id, t.supply, t.holders
    from fold_position f
    cross join lateral (${totalsOf(sql, sql`0`)}) t
  `;
  return await listHolders(pool, stx, page, most);
}

/** Those who have a fungible token. */
export async function listFtHolders(
  pool: Pool,
  token: { contract: Uint8Array; name: string },
  page: Page,
): Promise<Holders | 'too deep'> {
  const asset = (sql: Sql) => sql`
    select a.id, t.supply, t.holders
    from principals c
    join assets a on a.contract = c.id and a.name = ${token.name}
    cross join fold_position f
    cross join lateral (${totalsOf(sql, sql`a.id`)}) t
    where c.name = ${token.contract}
  `;
  return await listHolders(pool, asset, page, MOST_PASSED);
}

/** Supply and holders of an asset at the tip `f`. */
const totalsOf = (sql: Sql, asset: Statement<unknown>) => sql`
  select t.supply, t.holders
  from asset_totals t
  where t.asset = ${asset} and t.height <= f.height
  order by t.height desc
  limit 1
`;

type Fragment = Statement<unknown>;

/** The number of holders is kept, so that a page near the end is counted from there; those between are not given. */
async function listHolders(pool: Pool, asset: (sql: Sql) => Fragment, page: Page, most: number) {
  if (page.offset <= most) return await readPage(pool, asset(pool), page);
  return await inSnapshot(pool, async sql => {
    const [counted] = await sql<{ holders: number }[]>`select a.holders from (${asset(sql)}) a`;
    const left = (counted?.holders ?? 0) - page.offset;
    if (left <= 0) return nobody;
    const limit = Math.min(page.limit, left);
    return left - limit > most ? 'too deep' : await readPage(sql, asset(sql), { limit, offset: left - limit }, 'end');
  });
}

/** A page without rows says zero, as callers of the public API know it. */
const nobody: Holders = { supply: '0', total: 0, rows: [] };

/** A page so many holders from the start or the end of the list. */
async function readPage(
  sql: Sql,
  asset: Fragment,
  { limit, offset }: Page,
  from: 'start' | 'end' = 'start',
): Promise<Holders> {
  const rows = await sql<(HolderRow & { supply: string; holders: number })[]>`
    select p.name, h.balance, a.supply, a.holders
    from (${asset}) a
    cross join lateral (
      select h.principal, h.balance
      from holders h
      where h.asset = a.id
      order by ${from === 'end' ? sql`h.balance, h.principal` : sql`h.balance desc, h.principal desc`}
      limit ${limit}
      offset ${offset}
    ) h
    join principals p on p.id = h.principal
    order by h.balance desc, h.principal desc
  `;
  const [first] = rows;
  return first ? { supply: first.supply, total: first.holders, rows } : nobody;
}
