import type { TreeBlock } from './block-tree.ts';

const maxBlocks = 20_000;
const leftBlocks = 10_000;

/** A bounded cache of tree blocks: those that recent events name. */
export class KnownBlocks {
  readonly #blocks = new Map<string, TreeBlock>();
  #complete: boolean;

  /** `complete` where the tree is empty. */
  constructor(complete: boolean) {
    this.#complete = complete;
  }

  /** True while the cache holds the whole tree: what it lacks is stored nowhere. */
  get complete(): boolean {
    return this.#complete;
  }

  get(indexHash: Buffer): TreeBlock | undefined {
    return this.#blocks.get(indexHash.toString('hex'));
  }

  add(block: TreeBlock): void {
    this.#blocks.set(block.indexHash.toString('hex'), block);
    if (this.#blocks.size <= maxBlocks) return;
    this.#complete = false;
    for (const key of this.#blocks.keys()) {
      this.#blocks.delete(key);
      if (this.#blocks.size <= leftBlocks) break;
    }
  }
}
