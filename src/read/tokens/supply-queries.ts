import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';

/** Micro-STX in existence after a block, and the tip. */
type SupplyRow = { supply: string; tip: number };

/** The supply after the block at `height`, or after the tip; undefined when nothing is folded yet. */
export async function findSupply(sql: Sql, height?: number): Promise<SupplyRow | undefined> {
  const [row] = await sql<SupplyRow[]>`
    select b.supply, p.height as tip
    from fold_position p
    join lateral (
      select b.supply
      from blocks b
      where b.height <= least(${height ?? null}::int, p.height)
      order by b.height desc
      limit 1
    ) b on true
  `;
  return row;
}

/** The supply after a block, and its height; undefined if there is no such block. */
export async function findSupplyAsOf(sql: Sql, asOf: AsOf): Promise<{ supply: string; height: number } | undefined> {
  const [row] = await sql<{ supply: string; height: number }[]>`
    select b.supply, b.height
    from (${asOfBlock(sql, asOf)}) m
    join blocks b on b.height = m.height
  `;
  return row;
}
