import type { DevnetNode } from './devnet-node.ts';

/** What a Bitcoin fork can take from the tenure at the tip: the burn view that it was extended to, the block that elected its miner. */
export const orphanKinds = ['view', 'election', 'both', 'neither'] as const;
export type OrphanKind = (typeof orphanKinds)[number];

/** Mines what the tenure at the tip lacks for a fork of this kind, and returns the number of burn blocks that the fork must replace. */
export function prepareFork(node: DevnetNode, kind: OrphanKind): number {
  const { burnChain } = node.chain;
  // Bitcoin goes back only as far as it is in memory.
  if (kind !== 'neither' && !node.tip.burn.parent) node.mine({ tenure: 'new' });
  const isExtended = node.tip.view.hash !== node.tip.burn.hash;
  if (kind === 'election' && isExtended) node.mine({ tenure: 'new' });
  if ((kind === 'view' || kind === 'both') && !isExtended) node.mine({ tenure: 'extend' });
  if (kind === 'neither' && burnChain.tip.hash === node.tip.view.hash) node.mineBurnBlock();
  const { view, burn } = node.tip;
  if (kind === 'neither') return burnChain.tip.height - view.height;
  return burnChain.tip.height - (kind === 'view' ? view.height : burn.height) + 1;
}
