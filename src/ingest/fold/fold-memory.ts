/** What the fold may keep in memory: shares of the budget of the process. */
export type FoldMemory = {
  /** Most objects of the fold live no longer than a batch: with a small young generation they would be copied first. */
  youngMb: number;
  /**
   * A thread that needs more ends. The largest genesis needs about 600 MB for a moment, a long branch of large blocks more. From
   * 2 GB on V8 lets old objects grow fourfold between two collections, below that not even twofold.
   */
  oldMb: number;
  /** Names, and running totals of each kind, that stay cached. */
  names: number;
  totals: number;
  /** Bytes of events on their way to the fold. */
  pendingBytes: number;
};

export const foldMemory = (budget: number): FoldMemory => ({
  youngMb: Math.ceil(budget / 16 / (1 << 20)),
  oldMb: Math.max(1024, Math.ceil((budget * 3) / (1 << 20))),
  names: Math.ceil(budget / 2560),
  totals: Math.ceil(budget / 5120),
  pendingBytes: Math.ceil(budget / 64),
});
