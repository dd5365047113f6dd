import type { Sql } from '../../db/client.ts';

/** An end of a series: a height, or a time in seconds, which means the last block up to then. */
export type SeriesEnd = { height: number } | { time: number };

/** The first and the last block of a series. Ends outside of the chain are moved to it. No row before the first block. */
export const seriesRange = (sql: Sql, from: SeriesEnd | undefined, to: SeriesEnd | undefined) => sql`
  select greatest(f.height, ${from ? heightOf(sql, from) : sql`0`}) as first,
    least(p.height, ${to ? heightOf(sql, to) : sql`p.height`}) as last
  from fold_position p
  cross join lateral (select b.height from blocks b order by b.height limit 1) f
`;

/** Blocks before Nakamoto have no time of their own: that of their burn block counts. */
const heightOf = (sql: Sql, end: SeriesEnd) =>
  'height' in end
    ? sql`${end.height}::int`
    : sql`coalesce(
        (
          select b.height
          from blocks b
          where b.time > 0 and b.time <= ${end.time}::int
          order by b.time desc, b.height desc
          limit 1
        ),
        (
          select b.height
          from blocks b
          where b.burn_time <= ${end.time}::int
          order by b.burn_time desc, b.height desc
          limit 1
        ),
        0
      )`;
