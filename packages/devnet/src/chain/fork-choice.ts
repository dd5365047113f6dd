import { BurnBranch } from './burn-branch.ts';
import type { BurnBlock } from './burn-chain.ts';

/** The fields of a block that fork choice needs. */
export type Candidate<B> = {
  height: number;
  indexHash: string;
  parent: B | undefined;
  empty?: boolean;
  burn?: BurnBlock;
  /** The burn view of its tenure; counts only where a tenure change names it. */
  view?: BurnBlock;
  changesTenure?: boolean;
};

/** An arrival at the index, as far as fork choice needs it. */
export type ForkArrival<B> = { block?: B; burn?: BurnBlock };

/**
 * The rule of the canonical chain in its simplest form. Blocks arrive one by one; a block that is connected to a root competes
 * unless its burn block, or the burn view of the last tenure change at or below it in its tenure, was announced and later replaced,
 * or unless that is so for an ancestor. A greater height wins; in a tie, the block that arrived first stays. If every block is
 * ruled out, only the height decides. Returns the lowest block first.
 */
export function chooseChain<B extends Candidate<B>>(arrivals: readonly ForkArrival<B>[]): B[] {
  const arrived = new Map<string, B>();
  const order: B[] = [];
  const bitcoin = new BurnBranch();
  let tip: B | undefined;
  let midChainRoot: B | undefined;
  const isRoot = (b: B) => b.height <= 1 || b.indexHash === midChainRoot?.indexHash;
  /** The burn view that the last tenure change at or below a block names, as far as the blocks of its tenure are known. */
  const viewOf = (block: B): BurnBlock | undefined => {
    if (block.changesTenure) return block.view;
    const { parent } = block;
    return isRoot(block) || parent?.burn?.hash !== block.burn?.hash ? undefined : viewOf(parent!);
  };
  const isRuledOut = (block: B): boolean => {
    const view = viewOf(block);
    if ((block.burn && bitcoin.isReplaced(block.burn)) || (view && bitcoin.isReplaced(view))) return true;
    return !isRoot(block) && block.parent !== undefined && isRuledOut(block.parent);
  };
  /** The highest block above a height, the first arrival in a tie. */
  const highest = (above: number, counts: (block: B) => boolean): B | undefined => {
    let best: B | undefined;
    for (const block of order) {
      if (block.height > (best?.height ?? above) && isConnected(block, arrived, isRoot) && counts(block)) best = block;
    }
    return best;
  };
  for (const { block, burn } of arrivals) {
    if (burn) bitcoin.announce(burn);
    if (block) {
      const known = arrived.get(block.indexHash);
      if (known && !(known.empty && !block.empty)) continue;
      arrived.set(block.indexHash, block);
      if (!known) order.push(block);
      // Heights 0 and 1 need no parent; any block may be the first one if only an empty block 0 exists.
      const empty = [...arrived.values()].some(b => b.height === 0) && ![...arrived.values()].some(isGenesis);
      if (empty && !tip && block.height > 1) midChainRoot ??= block;
    }
    const alive = (candidate: B) => !isRuledOut(candidate);
    if (tip && isRuledOut(tip)) tip = highest(0, alive) ?? highest(tip.height, () => true) ?? tip;
    else tip = highest(tip?.height ?? 0, alive) ?? tip;
  }
  const chain: B[] = [];
  for (let block = tip; block; block = block.parent) {
    const known = arrived.get(block.indexHash);
    if (!known) break;
    chain.unshift(known);
    if (block.indexHash === midChainRoot?.indexHash) break;
  }
  return chain;
}

const isGenesis = <B>(block: Candidate<B>) => block.height === 0 && !block.empty;

function isConnected<B extends Candidate<B>>(
  block: B,
  arrived: ReadonlyMap<string, B>,
  isRoot: (block: B) => boolean,
): boolean {
  for (let b: B | undefined = block; b && arrived.has(b.indexHash); b = b.parent) if (isRoot(b)) return true;
  return false;
}
