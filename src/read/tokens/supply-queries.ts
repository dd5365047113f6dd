import type { Sql } from '../../db/client.ts';

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
