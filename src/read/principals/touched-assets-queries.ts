import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';

type Table = 'ft_balances' | 'nft_balances';

/**
 * Every asset an account ever touched, with its totals as of a block: `asset`, `contract`, `name`, `sent`, `received`. To be
 * selected from; the table has one row for each account, asset and block. `account` is a query of its `id` and the `height`, where
 * the statement knows both already.
 */
export const touchedAssets = (
  sql: Sql,
  table: Table,
  principal: Uint8Array,
  asOf: AsOf,
  account: Fragment = accountAsOf(sql, principal, asOf),
) => sql`
  with recursive account as (
    ${account}
  ), ${asOf === 'tip' || asOf === 'unanchored' ? newestOfEach(sql, table) : lastOfEach(sql, table)}
  select a.id as asset, c.name as contract, a.name, coalesce(s.sent, 0) as sent, coalesce(s.received, 0) as received
  from last s
  join assets a on a.id = s.asset
  join principals c on c.id = a.contract
`;

type Fragment = ReturnType<typeof asOfBlock>;

const accountAsOf = (sql: Sql, principal: Uint8Array, asOf: AsOf) => sql`
  select p.id, m.height
  from (${asOfBlock(sql, asOf)}) m
  join principals p on p.name = ${principal}
`;

/** One seek for each asset, from the last one down: at the tip no newer rows are passed over, but for those of its microblocks. */
const newestOfEach = (sql: Sql, table: Table) => {
  // With `+ 0` the height is no condition of the index: PostgreSQL 18 would check it for all rows of a page that a seek reads.
  const newest = (id: Fragment, height: Fragment, below: Fragment) => sql`
    select b.principal, ${height} as height, b.asset, b.sent, b.received
    from ${sql(table)} b
    where b.principal = ${id} and b.height + 0 <= ${height} ${below}
    order by b.asset desc, b.height desc
    limit 1
  `;
  return sql`
    last as (
      select n.*
      from account a
      cross join lateral (${newest(sql`a.id`, sql`a.height`, sql``)}) n
      union all
      select n.*
      from last l
      cross join lateral (${newest(sql`l.principal`, sql`l.height`, sql`and b.asset < l.asset`)}) n
    )
  `;
};

/** Two seeks for each asset: an account may have changed one in a million blocks since. */
const lastOfEach = (sql: Sql, table: Table) => sql`
  touched as (
    select a.id as principal, a.height, ${nextAsset(sql, table, sql`a.id`, sql`-1`)} as asset
    from account a
    union all
    select t.principal, t.height, ${nextAsset(sql, table, sql`t.principal`, sql`t.asset`)}
    from touched t
    where t.asset is not null
  ), last as (
    select t.asset, s.sent, s.received
    from touched t
    cross join lateral (
      select b.sent, b.received
      from ${sql(table)} b
      where b.principal = t.principal and b.asset = t.asset and b.height <= t.height
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
