import type { Sql } from '../db/client.ts';

/** A lock as the table holds it: the newest row of an account is its state. */
export type LockRow = {
  principal: Buffer;
  contract: Buffer;
  amount: string;
  unlock_height: number;
  height: number;
  place: number;
  event_index: number;
};

/** A block between its burn height and that of the block before. */
export type LockSpan = {
  height: number;
  burnHeight: number;
  burnHeightBefore: number;
  /** Whether some version of PoX ended in between, so that locks of any length did. */
  forced: boolean;
};

const columns = (sql: Sql) => sql`
  p.name as principal, c.name as contract, l.amount, l.unlock_height, l.height, l.place, l.event_index
`;

/** The locks that a block made or ended by an event, in order. */
export async function listLocksOf(sql: Sql, height: number): Promise<LockRow[]> {
  return await sql<LockRow[]>`
    select ${columns(sql)}
    from stx_locks l
    join principals p on p.id = l.principal
    join principals c on c.id = l.contract
    where l.height = ${height}
    order by l.place, l.event_index
  `;
}

/** The last lock of each account that was to end in a span of burn heights, whether or not a later one took its place. */
export async function listLocksEnding(
  sql: Sql,
  { height, burnHeight, burnHeightBefore }: LockSpan,
): Promise<LockRow[]> {
  return await sql<LockRow[]>`
    select distinct on (l.principal) ${columns(sql)}
    from stx_locks l
    join principals p on p.id = l.principal
    join principals c on c.id = l.contract
    where l.unlock_height > ${burnHeightBefore} and l.unlock_height <= ${burnHeight} and l.height <= ${height}
    order by l.principal, l.height desc, l.place desc, l.event_index desc
  `;
}

/** How the accounts stood before a block whose locks may have changed in it: by an event, or because their time came. */
export async function listLocksBefore(sql: Sql, span: LockSpan): Promise<LockRow[]> {
  const { height, burnHeight, burnHeightBefore, forced } = span;
  const low = Math.min(burnHeight, burnHeightBefore);
  const high = Math.max(burnHeight, burnHeightBefore);
  return await sql<LockRow[]>`
    with touched as (
      select n.principal from stx_locks n where n.height = ${height}
      union
      select n.principal
      from stx_locks n
      where n.unlock_height > ${low} ${forced ? sql`` : sql`and n.unlock_height <= ${high}`} and n.height < ${height}
    )
    select ${columns(sql)}
    from touched t
    cross join lateral (
      select o.*
      from stx_locks o
      where o.principal = t.principal and o.height < ${height}
      order by o.height desc, o.place desc, o.event_index desc
      limit 1
    ) l
    join principals p on p.id = l.principal
    join principals c on c.id = l.contract
  `;
}
