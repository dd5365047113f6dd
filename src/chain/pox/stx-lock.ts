/** A lock of STX from its event. */
export type StxLock = {
  /** The contract that made it, `….pox` or `….pox-N`. */
  contract: string;
  /** Burn height at which it ends by itself. */
  unlockHeight: number;
};

/**
 * Whose word counts for the end of a lock. The public API lets a lock hold one burn block longer than the node does, in
 * both ways it can end: by itself, and by force at the height that ended its version of PoX.
 */
export type LockRule = 'public' | 'node';

/** Whether a lock holds at a burn height. */
export function isLockedAt(
  lock: StxLock,
  burnHeight: number,
  forcedHeights: readonly (number | bigint)[],
  rule: LockRule = 'public',
): boolean {
  const forced = forcedHeights[lockVersion(lock.contract) - 1];
  const past = rule === 'node' ? burnHeight : burnHeight - 1;
  return lock.unlockHeight > past && (forced === undefined || Number(forced) > past);
}

/** `….pox` is the first version; later ones carry their number. */
export function lockVersion(contract: string): number {
  const name = contract.slice(contract.indexOf('.') + 1);
  return name === 'pox' ? 1 : Number(/^pox-(\d+)$/.exec(name)?.[1] ?? 0);
}
