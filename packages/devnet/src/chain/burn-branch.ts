import type { BurnBlock } from './burn-chain.ts';

/** The Bitcoin branch that one node follows, derived from its announcements in the simplest way. */
export class BurnBranch {
  /** In the order of their announcements. */
  readonly #known = new Map<string, BurnBlock>();
  readonly #canonical = new Map<number, BurnBlock>();

  /** Canonical burn blocks, lowest first. */
  get blocks(): BurnBlock[] {
    return [...this.#canonical.values()].sort((a, b) => a.height - b.height);
  }

  /** True if a burn block was announced and is no longer on the branch. */
  isReplaced(block: BurnBlock): boolean {
    return this.#known.has(block.hash) && this.#canonical.get(block.height)?.hash !== block.hash;
  }

  announce(block: BurnBlock): void {
    if (this.#known.has(block.hash)) return;
    this.#known.set(block.hash, block);
    const top = this.#carriesCanonical(block) ? block : this.#newestOn(block);
    if (top !== block || !this.#fits(block)) this.#leave(top);
    for (let b: BurnBlock | undefined = top; b && this.isReplaced(b); b = b.namesParent ? b.parent : undefined) {
      this.#canonical.set(b.height, b);
    }
  }

  /** True when the canonical block above names this one as its parent, so that it came late. */
  #carriesCanonical({ height, hash }: BurnBlock): boolean {
    const above = this.#canonical.get(height + 1);
    return above?.namesParent === true && above.parent?.hash === hash;
  }

  /** The newest block that was announced on a late one before it; the block itself where there is none. */
  #newestOn(block: BurnBlock): BurnBlock {
    const child = [...this.#known.values()].findLast(b => b.namesParent && b.parent?.hash === block.hash);
    return child ? this.#newestOn(child) : block;
  }

  /** A free height whose neighbours do not contradict. */
  #fits(block: BurnBlock): boolean {
    const below = this.#canonical.get(block.height - 1);
    const above = this.#canonical.get(block.height + 1);
    if (this.#canonical.has(block.height)) return false;
    if (block.namesParent && block.parent) {
      if (this.isReplaced(block.parent) || (below && below.hash !== block.parent.hash)) return false;
    }
    return !above?.namesParent || above.parent === undefined || above.parent.hash === block.hash;
  }

  /** Removes everything above the last common block of the branch and the announced one. */
  #leave(block: BurnBlock): void {
    let lowest = block;
    while (lowest.namesParent && lowest.parent && this.isReplaced(lowest.parent)) lowest = lowest.parent;
    const parent = lowest.namesParent ? lowest.parent : undefined;
    const contradicted = parent !== undefined && !this.#known.has(parent.hash);
    const fork = lowest.height - (contradicted ? 2 : 1);
    // What names a late block as its parent stays above it.
    const isLate = this.#carriesCanonical(block);
    for (const height of this.#canonical.keys()) {
      if (height > fork && !(isLate && height > block.height)) this.#canonical.delete(height);
    }
  }
}
