import { unknownFieldsOf } from '../chain/unknown-field.ts';
import type { Sql } from '../db/client.ts';
import { type Check, type Finding, maxFindings, unknownParts } from './finding.ts';

const completenessCheck = 'completeness';

/** Blocks that were fetched from a node and lack some facts. */
export const completeness: Check = {
  name: completenessCheck,
  async run({ sql, from, to }) {
    const rows = await sql<{ height: number; unknown: string }[]>`
      select t.height, t.unknown
      from block_tree t
      join blocks b on b.height = t.height and b.index_hash = t.index_hash
      where t.unknown <> '' and t.height between ${from} and ${to}
      order by t.height
      limit ${maxFindings}
    `;
    return rows.map(
      ({ height, unknown }): Finding => ({
        check: completenessCheck,
        subject: `block ${height}`,
        message: `unknown: ${unknownFieldsOf(unknown).join(', ')}`,
        reason: unknownParts,
      }),
    );
  },
};

/** How many blocks are incomplete, the lowest of them, and what is unknown. */
export async function countIncomplete(sql: Sql): Promise<{ count: number; heights: number[]; unknown: string[] }> {
  const [row] = await sql<{ count: number; heights: number[] | null; unknown: string | null }[]>`
    select count(*)::int as count,
      (array_agg(t.height order by t.height))[1:5] as heights,
      string_agg(distinct t.unknown, ',') as unknown
    from block_tree t
    join blocks b on b.height = t.height and b.index_hash = t.index_hash
    where t.unknown <> ''
  `;
  return { count: row!.count, heights: row!.heights ?? [], unknown: unknownFieldsOf(row!.unknown ?? '') };
}

/**
 * Drops findings of blocks that have become complete since, and moves the audit back to the lowest of them: the blocks above
 * it were applied again.
 */
export async function forgetCompleted(sql: Sql): Promise<void> {
  const gone = await sql<{ subject: string }[]>`
    delete from audit_findings f
    where f.check_name = ${completenessCheck}
      and not exists (
        select 1
        from block_tree t
        join blocks b on b.height = t.height and b.index_hash = t.index_hash
        where t.unknown <> '' and f.subject = 'block ' || t.height
      )
    returning f.subject
  `;
  if (gone.length === 0) return;
  const below = Math.min(...gone.map(({ subject }) => Number(subject.slice('block '.length)))) - 1;
  await sql`
    update audit_position
    set height = ${below}, index_hash = coalesce((select b.index_hash from blocks b where b.height = ${below}), '')
    where height > ${below}
  `;
}
