import type { Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { tableOf } from '../events/positions-queries.ts';
import { mostCounted } from '../pages/cursor-list-schema.ts';
import type { CountedPage } from '../pages/keyed-page-queries.ts';

type Fragment = Statement<unknown>;

/** A number that the totals `t` of a registry tell at the tip. */
export const storedTotal = (sql: Sql, registry: number, count: Fragment) => sql`
  select ${count}
  from sbtc_totals t
  where t.registry = ${registry}::int2 and t.height <= (select f.height from fold_position f)
  order by t.height desc
  limit 1
`;

/** How many rows `k` of a table match, counted no further than one above the bound. */
export const countedTotal = (sql: Sql, table: string | Fragment, where: Fragment) => sql`
  select count(*)
  from (
    select
    from ${tableOf(sql, table)} k
    where ${where} and k.height <= (select f.height from fold_position f)
    limit ${mostCounted + 1}
  ) k
`;

/** A page whose total is null where more match than are counted. */
export const withBoundedTotal = <Row>(page: CountedPage<Row>): CountedPage<Row, number | null> => ({
  ...page,
  total: page.total > mostCounted ? null : page.total,
});
