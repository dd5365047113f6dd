import { isLockedAt, type LockRule } from '../../chain/pox/stx-lock.ts';

/** A lock after an event. */
export type Lock = {
  account: string;
  contract: string;
  amount: bigint;
  /** Unlock burn height. */
  unlockHeight: number;
};

/** The rule that decides whether a lock holds. */
export type LockTime = { burnHeight: number; forcedHeights: readonly (number | bigint)[] };

export type LockChanges = {
  /** Increase of the spendable balance of each account by elapsed time; negative if the burn chain went back. */
  unlocks: { account: string; amount: bigint }[];
  /** Increase of the locked amount by each event of the block, in order. */
  events: bigint[];
};

export type LockQuery<L extends Lock = Lock> = {
  /** The last lock of each account before the block. */
  before: readonly L[];
  /** The locks of the block, in order. */
  during: readonly L[];
  from: LockTime;
  to: LockTime;
  rule: LockRule;
};

const byAccount = (a: { account: string }, b: { account: string }) => (a.account < b.account ? -1 : 1);

/**
 * Unlocks as the incumbent shows them: every lock that was due to end since the previous block, also one that was extended
 * meanwhile; and locks of a PoX version whose end height has passed.
 */
export function compatUnlocks(
  ending: readonly Lock[],
  { before, from, to }: Pick<LockQuery, 'before' | 'from' | 'to'>,
): LockChanges['unlocks'] {
  if (to.burnHeight <= from.burnHeight) return [];
  const shown = new Set(ending.map(lock => lock.account));
  const forced = before.filter(
    lock =>
      !shown.has(lock.account) &&
      lock.unlockHeight > to.burnHeight &&
      isLockedAt(lock, from.burnHeight, from.forcedHeights) &&
      !isLockedAt(lock, to.burnHeight, to.forcedHeights),
  );
  return [...ending, ...forced]
    .filter(lock => lock.amount > 0n)
    .map(({ account, amount }) => ({ account, amount }))
    .sort(byAccount);
}

/** The changes of locked amounts in a block: first by its burn height, then by its events. Pure. */
export function lockChanges({ before, during, from, to, rule }: LockQuery): LockChanges {
  const heldAt = (lock: Lock, time: LockTime) =>
    isLockedAt(lock, time.burnHeight, time.forcedHeights, rule) ? lock.amount : 0n;
  const held = new Map<string, bigint>();
  const unlocks: LockChanges['unlocks'] = [];
  for (const lock of before) {
    const then = heldAt(lock, from);
    const now = heldAt(lock, to);
    held.set(lock.account, now);
    if (then !== now) unlocks.push({ account: lock.account, amount: then - now });
  }
  const events = during.map(lock => {
    const then = held.get(lock.account) ?? 0n;
    const now = heldAt(lock, to);
    held.set(lock.account, now);
    return now - then;
  });
  return { unlocks: unlocks.sort(byAccount), events };
}
