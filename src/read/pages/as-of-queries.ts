import type { Sql } from '../../db/client.ts';

/**
 * The point of the chain that a read is about: the tip, the tip with its unconfirmed microblocks, or a block of the past. A height
 * above the tip means the tip, as `until` with its microblocks; the hash of an orphaned block means its height. A `block`, by its
 * height or one of its hashes, is one of the chain or none.
 */
export type AsOf =
  | 'tip'
  | 'unanchored'
  | { height: number }
  | { until: number }
  | { hash: Uint8Array }
  | { block: number | Uint8Array };

/**
 * A subquery of at most one row: the height up to which rows count, with the burn height and the forced unlock heights
 * of that block. No row when nothing is folded yet or no block has the hash.
 */
export function asOfBlock(sql: Sql, asOf: AsOf) {
  if (asOf === 'tip' || asOf === 'unanchored') {
    return sql`
      select p.height + ${asOf === 'tip' ? 0 : 1}::int as height, b.burn_height, b.unlock_heights
      from fold_position p
      join blocks b on b.height = p.height
    `;
  }
  if ('block' in asOf) {
    return sql`
      select b.height, b.burn_height, b.unlock_heights
      from fold_position p
      join blocks b on b.height <= p.height and ${isBlock(sql, asOf.block)}
    `;
  }
  if (!('hash' in asOf)) {
    const height = 'until' in asOf ? asOf.until : asOf.height;
    return sql`
      select least(${height}::int, p.height + ${'until' in asOf ? 1 : 0}::int) as height, b.burn_height,
        b.unlock_heights
      from fold_position p
      left join blocks b on b.height = least(${height}::int, p.height)
      where p.height >= 0
    `;
  }
  return sql`
    select least(t.height, p.height) as height, b.burn_height, b.unlock_heights
    from fold_position p
    join block_tree t on substring(t.block_hash from 1 for 8) = ${asOf.hash.subarray(0, 8)} and t.block_hash = ${asOf.hash}
    left join blocks b on b.height = least(t.height, p.height)
    where p.height >= 0 and not t.parked
    order by t.height desc
    limit 1
  `;
}

const isBlock = (sql: Sql, block: number | Uint8Array) =>
  typeof block === 'number'
    ? sql`b.height = ${block}`
    : sql`b.height in (
        select h.height from blocks h where substring(h.hash from 1 for 8) = ${block.subarray(0, 8)} and h.hash = ${block}
        union all
        select h.height from blocks h where h.index_hash = ${block}
      )`;

/** Whether there is a block at that point. */
export async function existsAsOf(sql: Sql, asOf: AsOf): Promise<boolean> {
  const rows = await sql`select m.height from (${asOfBlock(sql, asOf)}) m`;
  return rows.length > 0;
}
