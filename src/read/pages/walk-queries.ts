import { namedState } from '../../cache/tip-queries.ts';
import type { Sql } from '../../db/client.ts';

/** A block, by which a walk over the pages of a list knows the chain that it began on. */
export type ChainPoint = { height: number; indexHash: Buffer };

/** What a walk has to know before and after it reads a page. */
type WalkState = {
  /** Changes when blocks leave the chain. */
  revision: string;
  /** Undefined before the first block. */
  tip: ChainPoint | undefined;
  /** Whether the chain still has the block that was asked for. */
  kept: boolean;
};

export async function findWalkState(sql: Sql, pin?: ChainPoint): Promise<WalkState> {
  const [row] = await sql<{ revision: string; height: number; index_hash: Buffer | null; kept: boolean }[]>`
    select f.revision, f.height, b.index_hash, ${
      pin ? sql`coalesce(p.index_hash = ${pin.indexHash}, false)` : sql`true`
    } as kept, ${namedState(sql)}
    from fold_position f
    left join blocks b on b.height = f.height
    ${pin ? sql`left join blocks p on p.height = ${pin.height}::int and p.height <= f.height` : sql``}
  `;
  if (!row) return { revision: '', tip: undefined, kept: pin === undefined };
  const { revision, height, index_hash: indexHash, kept } = row;
  return { revision, tip: indexHash ? { height, indexHash } : undefined, kept };
}

/** How far down the branch of a block that left the chain is followed. */
const MAX_DEPTH = 10_000;

/**
 * The highest block of the chain that is also below a block that left it; 0 where the two have none in common. Undefined if no node
 * has ever sent such a block.
 */
export async function findForkHeight(sql: Sql, { height, indexHash }: ChainPoint): Promise<number | undefined> {
  const [row] = await sql<{ known: boolean; fork: number | null }[]>`
    with recursive branch (index_hash, parent, height, depth, canonical) as (
      select t.index_hash, t.parent, t.height, 0, false
      from block_tree t
      where t.index_hash = ${indexHash} and t.height = ${height}::int
      union all
      select t.index_hash, t.parent, t.height, r.depth + 1,
        exists (select from blocks b where b.index_hash = t.index_hash and b.height = t.height)
      from branch r
      join block_tree t on t.index_hash = r.parent
      where not r.canonical and r.depth < ${MAX_DEPTH}::int
    )
    select exists (select from branch) as known, (select max(r.height) from branch r where r.canonical) as fork,
      ${namedState(sql)}
  `;
  return row?.known ? (row.fork ?? 0) : undefined;
}
