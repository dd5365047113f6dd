import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import type { Sql } from '../../db/client.ts';
import type { BlockFacts } from '../queries/blocks.ts';
import { type LockRow, type LockSpan, listLocksBefore, listLocksEnding, listLocksOf } from '../queries/lock-changes.ts';
import { compatUnlocks, type Lock, type LockChanges, lockChanges } from './lock-changes.ts';

/** A lock with its position in the block. */
export type PlacedLock = Lock & { place: number; eventIndex: number };

/** Locks and unlocks of one block; `changes.events` correspond to `during`, one by one. */
export type BlockLocks = { during: PlacedLock[]; changes: LockChanges };

export const noLocks: BlockLocks = { during: [], changes: { events: [], unlocks: [] } };

/** The changes of several blocks by their heights. */
export async function readBlockLocks(
  sql: Sql,
  blocks: readonly BlockFacts[],
  compat: boolean,
): Promise<Map<number, BlockLocks>> {
  const spans = blocks.map(spanOf);
  const heights = blocks.map(block => block.height);
  const [before, during, ending] = await Promise.all([
    listLocksBefore(sql, spans),
    listLocksOf(sql, heights),
    compat ? listLocksEnding(sql, spans) : [],
  ]);
  const at = (rows: LockRow[], height: number) => rows.filter(row => row.height === height).map(lockOf);
  return new Map(
    blocks.map(block => {
      const query = {
        before: at(before, block.height),
        during: at(during, block.height),
        from: { burnHeight: block.burnHeightBefore, forcedHeights: block.forcedBefore },
        to: { burnHeight: block.burnHeight, forcedHeights: block.forced },
      };
      const { events, unlocks } = lockChanges({ ...query, rule: 'node' });
      const shown = compat ? compatUnlocks(at(ending, block.height), query) : unlocks;
      return [block.height, { during: query.during, changes: { events, unlocks: shown } }];
    }),
  );
}

function spanOf({ height, burnHeight, burnHeightBefore, forced, forcedBefore }: BlockFacts): LockSpan {
  const low = Math.min(burnHeight, burnHeightBefore);
  const high = Math.max(burnHeight, burnHeightBefore);
  // The rules of the node and of the incumbent differ by one burn block.
  const ended = forced.some((at, i) => at !== forcedBefore[i] || (Number(at) >= low && Number(at) <= high));
  return { height, burnHeight, burnHeightBefore, forced: ended };
}

const lockOf = (row: LockRow): PlacedLock => ({
  account: principalFromBytes(row.principal),
  contract: principalFromBytes(row.contract),
  amount: BigInt(row.amount),
  unlockHeight: row.unlock_height,
  place: row.place,
  eventIndex: row.event_index,
});
