import type { Sql } from '../../db/client.ts';
import type { Plan, Step } from '../fold/plan.ts';
import { highestAbove, pathTo, type TreeBlock } from './block-tree.ts';
import { isRuledOut, type RuledOut } from './ruled-out-blocks.ts';
import type { TreeChange } from './tree-change.ts';

/** The last block of the canonical chain; height -1 before the first one. */
export type Tip = { height: number; indexHash: Buffer };

/** The best block of the tree and the way to it from the canonical chain. */
export type BestBranch = {
  best: TreeBlock;
  /** The height where the branch leaves the canonical chain, 0 where they share nothing. */
  forkHeight: number;
  /** The blocks above it, lowest first. */
  branch: readonly TreeBlock[];
};

/** A plan that moves the tables, and the tip that it leaves. */
export type Move = { plan: Plan; tip: Tip };

/** Blocks applied in one transaction when a long branch is applied without a rollback. */
const catchUpBlocks = 50;
/** Blocks applied in one transaction when a part of the chain is applied again. */
export const refoldedBlocks = 1_000;

/**
 * The branch to which the tables should be moved: the one with the highest block that is not ruled out; the tip wins a tie. If
 * every block is ruled out, Bitcoin is ignored and height alone decides. Undefined if the tip is the best.
 */
export async function findBestBranch(sql: Sql, tip: Tip, ruledOut: RuledOut): Promise<BestBranch | undefined> {
  const best = isRuledOut(ruledOut, tip.indexHash)
    ? ((await highestAbove(sql, 0)) ?? (await highestAbove(sql, tip.height, true)))
    : await highestAbove(sql, tip.height);
  return best && { best, ...(await pathTo(sql, best.indexHash)) };
}

/** The next transaction on the way to the best block. With a rollback, readers see the old branch until the new one is complete. */
export function moveToBest(tip: Tip, { best, forkHeight, branch }: BestBranch): Move {
  if (tip.height < 1 || forkHeight === tip.height) {
    const part = branch.slice(0, catchUpBlocks);
    const { height, indexHash } = part.at(-1) ?? best;
    return { plan: { branch: part.map(block => block.eventId), steps: [] }, tip: { height, indexHash } };
  }
  return {
    plan: { rollback: forkHeight, branch: branch.map(block => block.eventId), steps: [] },
    tip: { height: best.height, indexHash: best.indexHash },
  };
}

/**
 * The plans that apply the canonical blocks above a height again. The first transaction rolls back and applies up to
 * `refoldedBlocks` blocks: up to that many, readers see the old rows until the new ones are complete.
 */
export function refold(
  height: number,
  eventIds: readonly bigint[],
  steps: readonly Step[] = [],
  treeChanges: readonly TreeChange[] = [],
): Plan[] {
  const plans: Plan[] = [];
  for (let done = 0; done < eventIds.length; done += refoldedBlocks) {
    const branch = eventIds.slice(done, done + refoldedBlocks);
    plans.push(done === 0 ? { treeChanges, rollback: height, branch, steps } : { branch, steps: [] });
  }
  return plans;
}

/** Excludes the block of an event and its descendants from the canonical chain, as requested by the operator. */
export async function abandon(sql: Sql, eventId: bigint): Promise<void> {
  await sql`
    with recursive lost as (
      select t.index_hash, t.height from block_tree t where t.event_id = ${String(eventId)}::bigint
      union all
      select t.index_hash, t.height
      from lost l
      join block_tree t on t.parent = l.index_hash and t.height = l.height + 1
    )
    update block_tree t set parked = true from lost l where t.index_hash = l.index_hash
  `;
}
