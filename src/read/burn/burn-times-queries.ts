import type { Sql } from '../../db/client.ts';

/** The time of a Bitcoin block, where Stacks blocks have it. */
type BurnTime = { height: number; time: number };

/** The newest Bitcoin block whose time is known, one some blocks before it, and the requested ones. */
export type BurnTimes = { tip: BurnTime | undefined; past: BurnTime | undefined; known: Map<number, number> };

/** Times of Bitcoin blocks that a canonical Stacks block is anchored to; `back` is how far the pace is measured. */
export async function findBurnTimes(sql: Sql, heights: readonly number[], back: number): Promise<BurnTimes> {
  const rows = await sql<{ kind: string; height: number; time: number }[]>`
    with tip as materialized (
      select b.burn_height as height, b.burn_time as time
      from fold_position f
      join blocks b on b.height = f.height
    )
    select 'tip' as kind, t.height, t.time from tip t
    union all
    select 'past', p.height, p.time
    from tip t
    cross join lateral (
      select b.burn_height as height, b.burn_time as time
      from blocks b
      where b.burn_height <= t.height - ${back} and b.burn_height > 0
      order by b.burn_height desc, b.height desc
      limit 1
    ) p
    union all
    select 'known', k.height, b.time
    from unnest(${[...new Set(heights)]}::int[]) as k (height)
    cross join lateral (
      select b.burn_time as time from blocks b where b.burn_height = k.height order by b.height limit 1
    ) b
  `;
  const one = (kind: string) => rows.find(row => row.kind === kind);
  return {
    tip: one('tip'),
    past: one('past'),
    known: new Map(rows.filter(row => row.kind === 'known').map(row => [row.height, row.time])),
  };
}
