import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';

/**
 * Every asset an account ever touched, with its totals as of a block: `asset`, `contract`, `name`, `sent`, `received`. To be
 * selected from; the table has one row for each account, asset and block.
 */
export const touchedAssets = (
  sql: Sql,
  table: 'ft_balances' | 'nft_balances',
  principal: Uint8Array,
  asOf: AsOf,
) => sql`
  with recursive m as (
    ${asOfBlock(sql, asOf)}
  ), touched as (
    select p.id as principal, ${nextAsset(sql, table, sql`p.id`, sql`-1`)} as asset
    from principals p
    where p.name = ${principal}
    union all
    -- One seek for each asset: an account may have changed one in a million blocks.
    select t.principal, ${nextAsset(sql, table, sql`t.principal`, sql`t.asset`)}
    from touched t
    where t.asset is not null
  )
  select a.id as asset, c.name as contract, a.name, coalesce(s.sent, 0) as sent, coalesce(s.received, 0) as received
  from m
  cross join touched t
  cross join lateral (
    select b.sent, b.received
    from ${sql(table)} b
    where b.principal = t.principal and b.asset = t.asset and b.height <= m.height
    order by b.height desc
    limit 1
  ) s
  join assets a on a.id = t.asset
  join principals c on c.id = a.contract
`;

type Fragment = ReturnType<typeof asOfBlock>;

/** The first asset after another one that an account has touched; null after the last. */
export const nextAsset = (
  sql: Sql,
  table: 'ft_balances' | 'nft_balances',
  principal: Fragment,
  after: Fragment,
) => sql`(
  select b.asset
  from ${sql(table)} b
  where b.principal = ${principal} and b.asset > ${after}
  order by b.asset
  limit 1
)`;
