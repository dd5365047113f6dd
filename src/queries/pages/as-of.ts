import type { Sql } from '../../db/client.ts';

/**
 * The moment a question is about: the tip, the tip with its unconfirmed microblocks, or a block of the past. A height
 * above the tip means the tip, as `until` with its microblocks; the hash of an orphaned block means its height.
 */
export type AsOf = 'tip' | 'unanchored' | { height: number } | { until: number } | { hash: Uint8Array };

/**
 * A subquery of at most one row: the height up to which rows count, with the burn height and the forced unlock heights
 * of that block. No row when nothing is folded yet or no block has the hash.
 */
export function asOfBlock(sql: Sql, moment: AsOf) {
  if (moment === 'tip' || moment === 'unanchored') {
    return sql`
      select p.height + ${moment === 'tip' ? 0 : 1}::int as height, b.burn_height, b.unlock_heights
      from fold_position p
      join blocks b on b.height = p.height
    `;
  }
  if (!('hash' in moment)) {
    const height = 'until' in moment ? moment.until : moment.height;
    return sql`
      select least(${height}::int, p.height + ${'until' in moment ? 1 : 0}::int) as height, b.burn_height,
        b.unlock_heights
      from fold_position p
      left join blocks b on b.height = least(${height}::int, p.height)
      where p.height >= 0
    `;
  }
  return sql`
    select least(t.height, p.height) as height, b.burn_height, b.unlock_heights
    from fold_position p
    join block_tree t on substring(t.block_hash from 1 for 8) = ${moment.hash.subarray(0, 8)} and t.block_hash = ${moment.hash}
    left join blocks b on b.height = least(t.height, p.height)
    where p.height >= 0 and not t.parked
    order by t.height desc
    limit 1
  `;
}

/** Whether there is such a moment. */
export async function existsAsOf(sql: Sql, moment: AsOf): Promise<boolean> {
  const rows = await sql`select m.height from (${asOfBlock(sql, moment)}) m`;
  return rows.length > 0;
}
