import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../db/client.ts';

export type HolderRow = { name: Buffer; balance: string };

/** A page of those who have a token, largest first, with the supply and the number of all of them. */
export type Holders = { supply: string; total: number; rows: HolderRow[] };

export type Page = { limit: number; offset: number };

/** Rows that a page may lie away from the nearer end of the list: what is counted past on each request. */
const MOST_PASSED = 100_000;

type Asset = { id: number; supply: string; holders: number };

/** Those who have STX. The key of STX among the assets is 0. */
export async function listStxHolders(sql: Sql, page: Page, most = MOST_PASSED): Promise<Holders | 'too deep'> {
  const [asset] = await sql<Asset[]>`
    select 0 as id, t.supply, t.holders
    from fold_position f
    cross join lateral (${totalsOf(sql, sql`0`)}) t
  `;
  return await pageOf(sql, asset, page, most);
}

/** Those who have a fungible token. */
export async function listFtHolders(
  sql: Sql,
  token: { contract: Uint8Array; name: string },
  page: Page,
  most = MOST_PASSED,
): Promise<Holders | 'too deep'> {
  const [asset] = await sql<Asset[]>`
    select a.id, t.supply, t.holders
    from principals c
    join assets a on a.contract = c.id and a.name = ${token.name}
    cross join fold_position f
    cross join lateral (${totalsOf(sql, sql`a.id`)}) t
    where c.name = ${token.contract}
  `;
  return await pageOf(sql, asset, page, most);
}

/** Supply and holders of an asset at the tip `f`. */
const totalsOf = (sql: Sql, asset: PendingQuery<Row[]>) => sql`
  select t.supply, t.holders
  from asset_totals t
  where t.asset = ${asset} and t.height <= f.height
  order by t.height desc
  limit 1
`;

/** The number of holders is kept, so that a page near the end is counted from there; those between are not given. */
async function pageOf(
  sql: Sql,
  asset: Asset | undefined,
  { limit, offset }: Page,
  most: number,
): Promise<Holders | 'too deep'> {
  // A page without rows says zero, as callers of the public API know it.
  if (!asset || offset >= asset.holders) return { supply: '0', total: 0, rows: [] };
  const size = Math.min(limit, asset.holders - offset);
  const behind = asset.holders - offset - size;
  const fromEnd = offset > most;
  if (fromEnd && behind > most) return 'too deep';
  const rows = await sql<HolderRow[]>`
    select p.name, h.balance
    from (
      select h.principal, h.balance
      from holders h
      where h.asset = ${asset.id}
      order by ${fromEnd ? sql`h.balance, h.principal` : sql`h.balance desc, h.principal desc`}
      limit ${size}
      offset ${fromEnd ? behind : offset}
    ) h
    join principals p on p.id = h.principal
    order by h.balance desc, h.principal desc
  `;
  return { supply: asset.supply, total: asset.holders, rows };
}
