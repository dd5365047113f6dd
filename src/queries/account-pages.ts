import type { Sql } from '../db/client.ts';
import { type Moment, momentOf } from './moments.ts';

/** Whose history, up to when; with `height` only what happened in that block. */
export type Account = { principal: Uint8Array; moment: Moment; height?: number | undefined };

export type Page = { limit: number; offset: number };

/** The running totals that each row of an account's history carries. */
export type Counter = 'seq' | 'direct_seq' | 'event_seq' | 'inbound_seq';

type Fragment = ReturnType<typeof accountAt>;

/** `account`: the key of the account and the heights between which its rows count. */
export const accountAt = (sql: Sql, { principal, moment, height }: Account) =>
  height === undefined
    ? sql`
      select p.id, 0 as first, m.height as last
      from (${momentOf(sql, moment)}) m
      join principals p on p.name = ${principal}
    `
    : sql`
      select p.id, ${height}::int as first, least(${height}::int, m.height) as last
      from (${momentOf(sql, moment)}) m
      join principals p on p.name = ${principal}
    `;

/**
 * A running total of the account `a` after a height. The last block first, by the index alone, then the last row in it:
 * asked for the last row at once, the planner sorts the whole history, which it takes for an ordinary account's.
 */
export const countUpTo = (sql: Sql, counter: Counter, height: Fragment) => sql`coalesce((
  select max(h.${sql(counter)})
  from principal_transactions h
  where h.principal = a.id
    and h.height = (
      select last.height
      from principal_transactions last
      where last.principal = a.id and last.height <= ${height}
      order by last.height desc
      limit 1
    )
), 0)`;

/**
 * `highest (low, high)`: narrows the heights down to the first one that has the `upper` entry of `span`, the least
 * `high`. A page that starts at the newest entry needs no search. Needs `account` and `span`, in a recursive `with`.
 */
export const highestOf = (sql: Sql, counter: Counter) => sql`
  highest (low, high) as (
    select case when s.upper = s.newest then a.last - 1 else a.first - 1 end, a.last
    from account a
    cross join span s
    where s.upper > s.lower
    union all
    ${halve(sql, counter, 'highest', sql`s.upper`)}
  )
`;

/** `lowest (low, high)`: the same for the first entry above `lower`. */
export const lowestOf = (sql: Sql, counter: Counter) => sql`
  lowest (low, high) as (
    select a.first - 1, a.last
    from account a
    cross join span s
    where s.upper > s.lower
    union all
    ${halve(sql, counter, 'lowest', sql`s.lower + 1`)}
  )
`;

/**
 * `heights (height)`: the blocks that hold the entries above `lower` up to `upper`. For entries that may lie far apart: an
 * account that sends all day may receive once a year, and a walk from one to the next would pass all it sent.
 */
export const heightsOf = (sql: Sql, counter: Counter) => sql`
  entry (n, low, high) as (
    select g.n, a.first - 1, a.last
    from account a
    cross join span s
    cross join generate_series(s.lower + 1, s.upper) as g (n)
    union all
    ${halve(sql, counter, 'entry', sql`n.n`, sql`n.n,`)}
  ), heights as (
    select distinct e.height from (select min(n.high) as height from entry n group by n.n) e
  )
`;

/** Running totals only grow, so halving finds where one was reached in some twenty seeks, wherever that is. */
const halve = (sql: Sql, counter: Counter, name: string, target: Fragment, kept: Fragment = sql``) => sql`
  select ${kept} case when c.reached then n.low else c.middle end, case when c.reached then c.middle else n.high end
  from ${sql(name)} n
  cross join account a
  cross join span s
  cross join lateral (
    select n.low + (n.high - n.low) / 2 as middle,
      ${countUpTo(sql, counter, sql`n.low + (n.high - n.low) / 2`)} >= ${target} as reached
    offset 0 -- counted once for both of its uses
  ) c
  where n.high - n.low > 1
`;
