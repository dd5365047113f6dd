import type { Sql } from '../db/client.ts';
import { type Moment, momentOf } from './moments.ts';

/** How many of one class of NFTs an account has. */
export type NftBalanceRow = { contract: Buffer; name: string; sent: number; received: number };

/** Every class the account ever touched up to a moment, those it has none of any more included. */
export async function listNftBalances(sql: Sql, principal: Uint8Array, moment: Moment): Promise<NftBalanceRow[]> {
  return await sql<NftBalanceRow[]>`
    with recursive m as (
      ${momentOf(sql, moment)}
    ), touched as (
      (
        select p.id as principal, b.asset
        from principals p
        join nft_balances b on b.principal = p.id
        where p.name = ${principal}
        order by b.asset
        limit 1
      )
      union all
      select t.principal, n.asset
      from touched t
      cross join lateral (
        select b.asset
        from nft_balances b
        where b.principal = t.principal and b.asset > t.asset
        order by b.asset
        limit 1
      ) n
    )
    select c.name as contract, a.name, coalesce(s.sent, 0) as sent, coalesce(s.received, 0) as received
    from m
    cross join touched t
    cross join lateral (
      select b.sent, b.received
      from nft_balances b
      where b.principal = t.principal and b.asset = t.asset and b.height <= m.height
      order by b.height desc
      limit 1
    ) s
    join assets a on a.id = t.asset
    join principals c on c.id = a.contract
  `;
}
