import type { Block, NakamotoBlock } from '../api/schema.ts';

/** A block as the strip draws it. */
export type SeenBlock = {
  height: number;
  hash: string;
  indexHash: string;
  canonical: boolean;
  time: number;
  burnHeight: number;
  tenure: number;
  transactions: number;
};

export const seenBlock = (block: NakamotoBlock | Block): SeenBlock => ({
  height: block.height,
  hash: block.hash,
  indexHash: block.index_block_hash,
  canonical: block.canonical,
  time: block.block_time,
  burnHeight: block.burn_block_height,
  tenure: block.tenure_height,
  transactions: 'txs' in block ? block.txs.length : block.tx_count,
});

/** How many blocks the strip keeps. */
export const MAX_SEEN = 60;

/**
 * Adds blocks to those seen, newest first. A block that is announced again replaces what was known of it, so a fork turns
 * blocks into orphans that stay visible beside the blocks that replaced them.
 */
export function addBlocks(seen: readonly SeenBlock[], added: readonly SeenBlock[]): SeenBlock[] {
  const byHash = new Map(seen.map(block => [block.hash, block]));
  for (const block of added) byHash.set(block.hash, block);
  return [...byHash.values()]
    .sort((a, b) => b.height - a.height || Number(b.canonical) - Number(a.canonical) || (a.hash < b.hash ? -1 : 1))
    .slice(0, MAX_SEEN);
}

/** Turns the blocks that a fork removed into orphans. */
export const removeBlocks = (seen: readonly SeenBlock[], removed: readonly string[]): SeenBlock[] => {
  const gone = new Set(removed);
  const orphans = seen.filter(({ indexHash }) => gone.has(indexHash)).map(block => ({ ...block, canonical: false }));
  return addBlocks(seen, orphans);
};

/** Blocks of the same burn block that stand side by side. */
export type BurnGroup = { burnHeight: number; tenure: number; blocks: SeenBlock[] };

export function groupByBurnBlock(blocks: readonly SeenBlock[]): BurnGroup[] {
  const groups: BurnGroup[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (last?.burnHeight === block.burnHeight) last.blocks.push(block);
    else groups.push({ burnHeight: block.burnHeight, tenure: block.tenure, blocks: [block] });
  }
  return groups;
}
