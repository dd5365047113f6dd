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

/** The conditions on heights alone: no block in the range is left out, and a timed one has blocks at its ends that are not in it. */
export function nearBlockRange(sql: Sql, range: BlockRange, height: Statement<unknown>) {
  const { fromTime, toTime, ...heights } = range;
  const parts = inBlockRange(sql, heights, height);
  if (fromTime !== undefined) parts.push(sql`${height} >= ${firstSince(sql, fromTime)}`);
  if (toTime !== undefined) parts.push(sql`${height} <= ${lastUntil(sql, toTime)}`);
  return parts;
}

/** A block is later than another one, or its time is less than the slack before it: `certain` looks on the far side of that. */
type Side = 'possible' | 'certain';

const bounded = (seconds: number) => Math.min(Math.max(seconds, MIN_INT), MAX_INT);

/** A height that no block since this time lies below; if certain, one above which every block is since this time. */
export const firstSince = (sql: Sql, seconds: number, side: Side = 'possible') => sql`
  (
    select h.height
    from blocks h
    where h.burn_time >= ${bounded(side === 'possible' ? seconds - TIME_SLACK : seconds + TIME_SLACK)}
    order by h.burn_time, h.height
    limit 1
  )
`;

/** A height that no block until this time lies above; if certain, one below which every block is until this time. */
export const lastUntil = (sql: Sql, seconds: number, side: Side = 'possible') => sql`
  (
    select h.height
    from blocks h
    where h.burn_time <= ${bounded(side === 'possible' ? seconds + TIME_SLACK : seconds - TIME_SLACK)}
    order by h.burn_time desc, h.height desc
    limit 1
  )
`;
