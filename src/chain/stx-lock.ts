/** A lock of STX as its event told it. */
export type StxLock = {
  /** The contract that made it, `….pox` or `….pox-N`. */
  contract: string;
  /** Burn height at which it ends by itself. */
  unlockHeight: number;
};

/**
 * Whether a lock holds at a burn height. The public API lets it hold one burn block longer than the node does, in both
 * ways a lock can end: by itself, and by force at the height that ended its version of PoX.
 */
export function isLockedAt(lock: StxLock, burnHeight: number, forcedHeights: readonly (number | bigint)[]): boolean {
  const forced = forcedHeights[poxVersion(lock.contract) - 1];
  return lock.unlockHeight >= burnHeight && (forced === undefined || burnHeight <= Number(forced));
}

/** `….pox` is the first version; later ones carry their number. */
function poxVersion(contract: string): number {
  const name = contract.slice(contract.indexOf('.') + 1);
  return name === 'pox' ? 1 : Number(/^pox-(\d+)$/.exec(name)?.[1] ?? 0);
}
