import type { Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import type { BlockRange } from './block-range-params.ts';

/** Bitcoin lets the time of a block lie two hours off; twice that bounds how far times and heights disagree. */
const TIME_SLACK = 14_400;

const MIN_INT = -2_147_483_648;
const MAX_INT = 2_147_483_647;

/** Whether blocks have to be looked at, not only their heights. */
export const isTimed = ({ fromTime, toTime }: BlockRange): boolean => fromTime !== undefined || toTime !== undefined;

/** The conditions that a height is in a range; where the range is timed, `b` must be the block of the height. */
export function inBlockRange(
  sql: Sql,
  { fromHeight, toHeight, fromTime, toTime }: BlockRange,
  height: Statement<unknown>,
) {
  const parts: Statement<unknown>[] = [];
  if (fromHeight !== undefined) parts.push(sql`${height} >= ${fromHeight}::int`);
  if (toHeight !== undefined) parts.push(sql`${height} <= ${toHeight}::int`);
  if (fromTime !== undefined) parts.push(sql`b.burn_time >= ${fromTime} and ${height} >= ${firstSince(sql, fromTime)}`);
  if (toTime !== undefined) parts.push(sql`b.burn_time <= ${toTime} and ${height} <= ${lastUntil(sql, toTime)}`);
  return parts;
}

/** A height that no transaction since this time lies below. */
export const firstSince = (sql: Sql, seconds: number) => sql`
  (
    select h.height
    from blocks h
    where h.burn_time >= ${Math.max(seconds - TIME_SLACK, MIN_INT)}
    order by h.burn_time, h.height
    limit 1
  )
`;

/** A height that no transaction until this time lies above. */
export const lastUntil = (sql: Sql, seconds: number) => sql`
  (
    select h.height
    from blocks h
    where h.burn_time <= ${Math.min(seconds + TIME_SLACK, MAX_INT)}
    order by h.burn_time desc, h.height desc
    limit 1
  )
`;
