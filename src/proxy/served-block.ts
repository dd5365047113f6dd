import type { Sql } from '../db/client.ts';

/** The served tip, and what is known about one block at some height. */
export type ServedBlock = {
  tipHeight: number;
  tipIndexHash: Buffer;
  /** The served block at that height; null where none is served. */
  indexHash: Buffer | null;
  /** True if the log has the block and the fold has seen it, canonical or not. */
  known: boolean;
  /** For a known block above the tip: whether it descends from the tip; null if that cannot be told. */
  extendsTip: boolean | null;
};

type Row = {
  tip_height: number;
  tip_index_hash: Buffer;
  index_hash: Buffer | null;
  known: boolean;
  ancestor: Buffer | null;
};

/** Blocks above the tip through which an ancestor is looked for. */
const MAX_ABOVE = 500;

/** Undefined before the first block. */
export async function findServedBlock(sql: Sql, height: number, indexHash: Buffer): Promise<ServedBlock | undefined> {
  const [row] = await sql<Row[]>`
    select
      p.height as tip_height,
      p.index_hash as tip_index_hash,
      b.index_hash,
      exists (select 1 from block_tree t where t.index_hash = ${indexHash}) as known,
      (
        with recursive path as (
          select t.index_hash, t.parent, t.height
          from block_tree t
          where t.index_hash = ${indexHash}
            and t.height > p.height
            and t.height <= p.height + ${MAX_ABOVE}
          union all
          select t.index_hash, t.parent, t.height
          from path
          join block_tree t on t.index_hash = path.parent
          where path.height > p.height
        )
        select path.index_hash from path where path.height = p.height
      ) as ancestor
    from fold_position p
    left join blocks b
      on b.height = ${height} and b.height <= p.height
    where p.height >= 1
  `;
  return (
    row && {
      tipHeight: row.tip_height,
      tipIndexHash: row.tip_index_hash,
      indexHash: row.index_hash,
      known: row.known,
      extendsTip: row.ancestor === null ? null : row.ancestor.equals(row.tip_index_hash),
    }
  );
}
