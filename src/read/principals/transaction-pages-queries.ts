import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';

/** Whose history, up to when; with `height` only what happened in that block. */
export type Account = { principal: Uint8Array; asOf: AsOf; height?: number | undefined };

export type Page = { limit: number; offset: number };

/** The running totals that each row of an account's history carries. */
type Counter = 'seq' | 'direct_seq' | 'event_seq' | 'inbound_seq';

type Fragment = ReturnType<typeof accountAt>;

/** Where the rows of a page are looked for: some pages of rows below its newest one, or wherever they are. */
export type SearchRange = 'near' | 'anywhere';

/** The result of a page statement: its rows, or one that says the total alone; nothing about an account without history. */
export type Counted<Row extends { height: number }> = ({ total: number } & (Row | { height: null }))[];

export type AccountPage<Row> = {
  total: number;
  rows: Row[];
  /** False of an account that the chain has not seen, and where there is no such block. */
  known: boolean;
};

/**
 * Reads near the newest row of the page first: this needs no search, and nearly all accounts have their whole page there,
 * which has at most the rows that the total leaves after the offset. A page without rows has a total of zero, as callers
 * expect.
 */
export async function readNearThenSearch<Row extends { height: number }>(
  { limit, offset }: Page,
  read: (reach: SearchRange) => Promise<Counted<Row>>,
): Promise<AccountPage<Row>> {
  const near = await read('near');
  const total = near[0]?.total ?? 0;
  const complete = listed(near).length >= Math.min(limit, total - offset);
  const rows = listed(complete ? near : await read('anywhere'));
  return { total: rows.length === 0 ? 0 : total, rows, known: near.length > 0 };
}

const listed = <Row extends { height: number }>(rows: Counted<Row>) =>
  rows.filter((row): row is { total: number } & Row => row.height !== null);

/** `account`: the key of the account and the heights between which its rows count. */
export const accountAt = (sql: Sql, { principal, asOf, height }: Account) =>
  height === undefined
    ? sql`
      select p.id, 0 as first, m.height as last
      from (${asOfBlock(sql, asOf)}) m
      join principals p on p.name = ${principal}
    `
    : sql`
      select p.id, ${height}::int as first, least(${height}::int, m.height) as last
      from (${asOfBlock(sql, asOf)}) m
      join principals p on p.name = ${principal}
    `;

/**
 * A running total of the account `a` after a height. The last block first, by the index alone, then the last row in it:
 * for the last row alone, the planner would sort the whole history, because it expects one of average length.
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
export const highestHeight = (sql: Sql, counter: Counter, { offset }: Page) =>
  offset === 0
    ? sql`highest (low, high) as (select a.last - 1, a.last from account a)`
    : sql`
      highest (low, high) as (
        select a.first - 1, a.last
        from account a
        cross join span s
        where s.upper > s.lower
        union all
        ${halve(sql, counter, 'highest', sql`s.upper`)}
      )
    `;

/**
 * `near (height, enough)`: a block some pages of rows below `highest`, and whether the entries above `lower` begin in it
 * or later. They do for nearly every account, and then nothing has to be searched for.
 */
const nearOf = (sql: Sql, counter: Counter, page: Page) => sql`
  near as (
    select f.height, f.height = a.first or ${countUpTo(sql, counter, sql`f.height - 1`)} <= s.lower as enough
    from account a
    cross join span s
    cross join lateral ${heightNear(sql, counter, page)} f
    where s.upper > s.lower
  )
`;

/** The block some pages of rows below `highest` where the account `a` has as many. */
const heightNear = (sql: Sql, counter: Counter, { limit }: Page) => sql`(
  select greatest(a.first, (
    select h.height
    from principal_transactions h
    where h.principal = a.id and h.height <= (select min(n.high) from highest n)
    order by h.height desc
    offset ${rowsNear[counter] * limit}::int8
    limit 1
  )) as height
  offset 0 -- found once for all its uses
)`;

/** Rows that are passed over for each entry of a page before it is searched for: all are transactions, few are deposits. */
const rowsNear = { seq: 1, direct_seq: 4, event_seq: 4, inbound_seq: 16 } satisfies Record<Counter, number>;

/** `lowest (low, high)`: like `highest`, for the first entry above `lower`, or a block not far below it. Needs `highest`. */
export const lowestHeight = (sql: Sql, counter: Counter, page: Page, reach: SearchRange) =>
  reach === 'near'
    ? sql`lowest as (select n.height as high from account a cross join lateral ${heightNear(sql, counter, page)} n)`
    : sql`
      ${nearOf(sql, counter, page)}, lowest (low, high) as (
        select case when n.enough then n.height else a.first end - 1, n.height
        from account a
        cross join near n
        union all
        ${halve(sql, counter, 'lowest', sql`s.lower + 1`)}
      )
    `;

/** Whether a row `h` of the account's history lies between `lowest` and `highest`. */
export const isWithin = (sql: Sql) => sql`
  h.height between (select min(n.high) from lowest n) and (select min(n.high) from highest n)
`;

/**
 * `heights (height)`: the blocks that hold the entries above `lower` up to `upper`, and maybe others between them. Where
 * these lie far apart each is searched for: an account that sends all day may receive once a year, and a walk from one to
 * the next would pass all it sent. Needs `highest`.
 */
export const heightsOf = (sql: Sql, counter: Counter, page: Page) => sql`
  ${nearOf(sql, counter, page)}, entry (n, low, high) as (
    select g.n, a.first - 1, a.last
    from account a
    cross join span s
    cross join near n
    cross join generate_series(s.lower + 1, s.upper) as g (n)
    where not n.enough
    union all
    ${halve(sql, counter, 'entry', sql`n.n`, sql`n.n,`)}
  ), heights as (
    select distinct e.height from (select min(n.high) as height from entry n group by n.n) e
    union all
    select distinct h.height
    from account a
    cross join near n
    cross join lateral (
      select h.height
      from principal_transactions h
      where h.principal = a.id and h.height between n.height and (select min(t.high) from highest t)
      offset 0 -- by the index alone
    ) h
    where n.enough
  )
`;

/** Running totals only grow, so halving finds where one was reached in some twenty seeks, wherever that is. */
const halve = (sql: Sql, counter: Counter, name: string, target: Fragment, extraColumns: Fragment = sql``) => sql`
  select ${extraColumns} case when c.reached then n.low else c.middle end, case when c.reached then c.middle else n.high end
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
