import { arrayLiteral, type Sql } from '../../db/client.ts';

/** A lock as the table holds it: the newest row of an account is its state. */
export type LockRow = {
  /** The requested block. */
  height: number;
  principal: Buffer;
  contract: Buffer;
  amount: string;
  unlock_height: number;
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
  p.name as principal, c.name as contract, l.amount, l.unlock_height, l.place, l.event_index
`;

const names = (sql: Sql) => sql`
  join principals p on p.id = l.principal
  join principals c on c.id = l.contract
`;

/** Later than any burn height. */
const NEVER = 2_147_483_647;

/** `span (height, low, high)`: the burn heights that each block went over, the lower one left out. */
const spansOf = (sql: Sql, spans: readonly LockSpan[]) => {
  const low = ({ burnHeight, burnHeightBefore }: LockSpan) => Math.min(burnHeight, burnHeightBefore);
  const high = ({ burnHeight, burnHeightBefore, forced }: LockSpan) =>
    forced ? NEVER : Math.max(burnHeight, burnHeightBefore);
  return sql`
    unnest(
      ${arrayLiteral(spans.map(span => span.height))}::int[],
      ${arrayLiteral(spans.map(low))}::int[],
      ${arrayLiteral(spans.map(high))}::int[]
    ) as span (height, low, high)
  `;
};

/** The locks that some blocks made or ended by an event, in order. */
export async function listLocksOf(sql: Sql, heights: readonly number[]): Promise<LockRow[]> {
  return await sql<LockRow[]>`
    select l.height, ${columns(sql)}
    from stx_locks l
    ${names(sql)}
    where l.height = any (${heights as number[]}::int[])
    order by l.height, l.place, l.event_index
  `;
}

/** The last lock of each account that was to end in a span, whether or not a later one took its place. */
export async function listLocksEnding(sql: Sql, spans: readonly LockSpan[]): Promise<LockRow[]> {
  return await sql<LockRow[]>`
    select distinct on (span.height, l.principal) span.height, ${columns(sql)}
    from ${spansOf(
      sql,
      spans.map(span => ({ ...span, forced: false })),
    )}
    join stx_locks l
      on l.unlock_height > span.low and l.unlock_height <= span.high and l.height <= span.height
    ${names(sql)}
    order by span.height, l.principal, l.height desc, l.place desc, l.event_index desc
  `;
}

/** How the accounts stood before a block whose locks may have changed in it: by an event, or because their time came. */
export async function listLocksBefore(sql: Sql, spans: readonly LockSpan[]): Promise<LockRow[]> {
  return await sql<LockRow[]>`
    with touched as (
      select span.height, n.principal
      from ${spansOf(sql, spans)}
      join stx_locks n on n.height = span.height
      union
      select span.height, n.principal
      from ${spansOf(sql, spans)}
      join stx_locks n on n.unlock_height > span.low and n.unlock_height <= span.high and n.height < span.height
    )
    select t.height, ${columns(sql)}
    from touched t
    cross join lateral (
      select o.principal, o.contract, o.amount, o.unlock_height, o.place, o.event_index
      from stx_locks o
      where o.principal = t.principal and o.height < t.height
      order by o.height desc, o.place desc, o.event_index desc
      limit 1
    ) l
    ${names(sql)}
  `;
}
