import type { Sql } from '../db/client.ts';

export type HolderRow = { name: Buffer; balance: string };

/** A page of those who have a token, largest first, with the supply and the number of all of them. */
export type Holders = { supply: string; total: number; rows: HolderRow[] };

type PageRow = HolderRow & { supply: string; total: number };

export type Page = { limit: number; offset: number };

/** Those who have STX. The key of STX among the assets is 0. */
export async function listStxHolders(sql: Sql, { limit, offset }: Page): Promise<Holders> {
  const rows = await sql<PageRow[]>`
    select p.name, h.balance, a.supply, a.total
    from (
      select h.principal, h.balance
      from holders h
      where h.asset = 0
      order by h.balance desc, h.principal desc
      limit ${limit}
      offset ${offset}
    ) h
    join principals p on p.id = h.principal
    cross join fold_position f
    cross join lateral (
      select t.supply, t.holders as total
      from asset_totals t
      where t.asset = 0 and t.height <= f.height
      order by t.height desc
      limit 1
    ) a
    order by h.balance desc, h.principal desc
  `;
  return holders(rows);
}

/** Those who have a fungible token. */
export async function listFtHolders(
  sql: Sql,
  token: { contract: Uint8Array; name: string },
  { limit, offset }: Page,
): Promise<Holders> {
  const rows = await sql<PageRow[]>`
    with asset as (
      select a.id, t.supply, t.holders
      from principals c
      join assets a on a.contract = c.id and a.name = ${token.name}
      cross join fold_position f
      cross join lateral (
        select t.supply, t.holders
        from asset_totals t
        where t.asset = a.id and t.height <= f.height
        order by t.height desc
        limit 1
      ) t
      where c.name = ${token.contract}
    )
    select p.name, h.balance, a.supply, a.holders as total
    from asset a
    cross join lateral (
      select h.principal, h.balance
      from holders h
      where h.asset = a.id
      order by h.balance desc, h.principal desc
      limit ${limit}
      offset ${offset}
    ) h
    join principals p on p.id = h.principal
    order by h.balance desc, h.principal desc
  `;
  return holders(rows);
}

/** Totals travel with the rows: a page without rows says zero, as callers of the public API know it. */
const holders = (rows: PageRow[]): Holders => ({
  supply: rows[0]?.supply ?? '0',
  total: rows[0]?.total ?? 0,
  rows,
});
