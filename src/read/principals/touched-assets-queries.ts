import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';

type Table = 'ft_balances' | 'nft_balances';

/**
 * Every asset an account ever touched, with its totals as of a block: `asset`, `contract`, `name`, `sent`, `received`. To be
 * selected from; the table has one row for each account, asset and block.
 */
export const touchedAssets = (sql: Sql, table: Table, principal: Uint8Array, asOf: AsOf) => sql`
  with recursive m as (
    ${asOfBlock(sql, asOf)}
  ), ${asOf === 'tip' || asOf === 'unanchored' ? newestOfEach(sql, table, principal) : lastOfEach(sql, table, principal)}
  select a.id as asset, c.name as contract, a.name, coalesce(s.sent, 0) as sent, coalesce(s.received, 0) as received
  from last s
  join assets a on a.id = s.asset
  join principals c on c.id = a.contract
`;

type Fragment = ReturnType<typeof asOfBlock>;

/** One seek for each asset, from the last one down: at the tip no newer rows are passed over, but for those of its microblocks. */
const newestOfEach = (sql: Sql, table: Table, principal: Uint8Array) => {
  const newest = (id: Fragment, height: Fragment, below: Fragment) => sql`
    select b.principal, ${height} as height, b.asset, b.sent, b.received
    from ${sql(table)} b
    where b.principal = ${id} and b.height <= ${height} ${below}
    order by b.asset desc, b.height desc
    limit 1
  `;
  return sql`
    last as (
      select n.*
      from m
      join principals p on p.name = ${principal}
      cross join lateral (${newest(sql`p.id`, sql`m.height`, sql``)}) n
      union all
      select n.*
      from last l
      cross join lateral (${newest(sql`l.principal`, sql`l.height`, sql`and b.asset < l.asset`)}) n
    )
  `;
};

/** Two seeks for each asset: an account may have changed one in a million blocks since. */
const lastOfEach = (sql: Sql, table: Table, principal: Uint8Array) => sql`
  touched as (
    select p.id as principal, ${nextAsset(sql, table, sql`p.id`, sql`-1`)} as asset
    from principals p
    where p.name = ${principal}
    union all
    select t.principal, ${nextAsset(sql, table, sql`t.principal`, sql`t.asset`)}
    from touched t
    where t.asset is not null
  ), last as (
    select t.asset, s.sent, s.received
    from m
    cross join touched t
    cross join lateral (
      select b.sent, b.received
      from ${sql(table)} b
      where b.principal = t.principal and b.asset = t.asset and b.height <= m.height
      order by b.height desc
      limit 1
    ) s
  )
`;

/** The first asset after another one that an account has touched; null after the last. */
export const nextAsset = (sql: Sql, table: Table, principal: Fragment, after: Fragment) => sql`(
  select b.asset
  from ${sql(table)} b
  where b.principal = ${principal} and b.asset > ${after}
  order by b.asset
  limit 1
)`;
