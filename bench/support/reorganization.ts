import type { Pool } from '../../src/db/client.ts';
import { competingBranch } from './competing-branch.ts';
import type { FoldWatch } from './fold-watch.ts';
import type { Poster } from './poster.ts';

/** A branch that has won: its blocks, the top included, and the time that readers waited for it. */
export type Reorganization = { branch: Buffer[]; ms: number };

/**
 * Posts a branch that orphans the given last blocks of the chain. The time is from the post of the block that makes it win
 * until readers see the new tip: the blocks are rolled back, and one more than these is applied, in one transaction.
 */
export async function reorganize(
  sql: Pool,
  last: readonly Buffer[],
  poster: Poster,
  watch: FoldWatch,
): Promise<Reorganization> {
  const branch = competingBranch(last);
  const winner = branch.at(-1)!;
  for (const block of branch.slice(0, -1)) await poster.post('/new_block', block);
  // Messages of signers share events, so that posts do not count them.
  const [head] = await sql<{ last_id: bigint }[]>`select last_id from event_log_head`;
  await watch.until(position => position.event_id >= head!.last_id);
  const height = heightOf(winner);
  const started = performance.now();
  await poster.post('/new_block', winner);
  await watch.until(position => position.height === height);
  return { branch, ms: performance.now() - started };
}

export const heightOf = (body: Buffer) => (JSON.parse(body.toString()) as { block_height: number }).block_height;
