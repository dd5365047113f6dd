import type { Sql } from '../db/client.ts';
import { type Moment, momentOf } from './moments.ts';

/** What an account has of one fungible token. */
export type FtBalanceRow = { contract: Buffer; name: string; balance: string; sent: string; received: string };

/** Every token the account ever touched up to a moment, those it has no more of included. */
export async function listFtBalances(sql: Sql, principal: Uint8Array, moment: Moment): Promise<FtBalanceRow[]> {
  return await sql<FtBalanceRow[]>`
    with recursive m as (
      ${momentOf(sql, moment)}
    ), touched as (
      (
        select p.id as principal, b.asset
        from principals p
        join ft_balances b on b.principal = p.id
        where p.name = ${principal}
        order by b.asset
        limit 1
      )
      union all
      -- One seek for each token: an account may have changed a token in a million blocks.
      select t.principal, n.asset
      from touched t
      cross join lateral (
        select b.asset
        from ft_balances b
        where b.principal = t.principal and b.asset > t.asset
        order by b.asset
        limit 1
      ) n
    )
    select
      c.name as contract,
      a.name,
      coalesce(s.received, 0) - coalesce(s.sent, 0) as balance,
      coalesce(s.sent, 0) as sent,
      coalesce(s.received, 0) as received
    from m
    cross join touched t
    cross join lateral (
      select b.sent, b.received
      from ft_balances b
      where b.principal = t.principal and b.asset = t.asset and b.height <= m.height
      order by b.height desc
      limit 1
    ) s
    join assets a on a.id = t.asset
    join principals c on c.id = a.contract
  `;
}

/** What the account has of one token; undefined when it never touched it. */
export async function findFtBalance(
  sql: Sql,
  principal: Uint8Array,
  token: { contract: Uint8Array; name: string },
): Promise<string | undefined> {
  const [row] = await sql<{ balance: string }[]>`
    select coalesce(b.received, 0) - coalesce(b.sent, 0) as balance
    from fold_position f
    join principals p on p.name = ${principal}
    join principals c on c.name = ${token.contract}
    join assets a on a.contract = c.id and a.name = ${token.name}
    join ft_balances b on b.principal = p.id and b.asset = a.id and b.height <= f.height
    order by b.height desc
    limit 1
  `;
  return row?.balance;
}
