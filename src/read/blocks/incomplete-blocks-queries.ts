import { type UnknownField, unknownFieldsOf } from '../../chain/unknown-field.ts';
import type { Sql } from '../../db/client.ts';

/** Canonical blocks with fields that stay unknown after they were fetched from a node. */
export type IncompleteBlocks = {
  count: number;
  /** The lowest of them. */
  heights: number[];
  /** What is unknown of some of them. */
  unknown: UnknownField[];
};

/** Maximum number of heights listed; the count includes the others. */
const maxHeights = 10;

export async function findIncompleteBlocks(sql: Sql): Promise<IncompleteBlocks> {
  const [row] = await sql<{ count: bigint; heights: number[] | null; unknown: string | null }[]>`
    select count(*) as count,
      (array_agg(t.height order by t.height))[1:${maxHeights}] as heights,
      string_agg(distinct t.unknown, ',') as unknown
    from block_tree t
    join blocks b on b.height = t.height and b.index_hash = t.index_hash
    where t.unknown <> ''
  `;
  return {
    count: Number(row!.count),
    heights: row!.heights ?? [],
    unknown: unknownFieldsOf(row!.unknown ?? ''),
  };
}
