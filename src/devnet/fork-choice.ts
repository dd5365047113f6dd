/** A block as far as the choice between forks needs it. */
export type Candidate<B> = { height: number; indexHash: string; parent: B | undefined; empty?: boolean };

/**
 * The rule of which chain is canonical, in its simplest form: blocks arrive one by one; one that is connected to a root
 * competes; a greater height wins, and what was there first keeps its place in a tie. Lowest block first.
 */
export function chooseChain<B extends Candidate<B>>(arrivals: readonly B[]): B[] {
  const arrived = new Map<string, B>();
  let tip: B | undefined;
  let midChainRoot: B | undefined;
  arrivals.forEach((block, order) => {
    const known = arrived.get(block.indexHash);
    if (known && !(known.empty && !block.empty)) return;
    arrived.set(block.indexHash, block);
    // Heights 0 and 1 need no parent; another block may be the first one where an empty block 0 is all there is.
    const empty = [...arrived.values()].some(b => b.height === 0) && ![...arrived.values()].some(isGenesis);
    if (empty && !tip && block.height > 1) midChainRoot ??= block;
    const isRoot = (b: B) => b.height <= 1 || b.indexHash === midChainRoot?.indexHash;
    for (const other of arrivals.slice(0, order + 1)) {
      if (other.height > (tip?.height ?? 0) && isConnected(other, arrived, isRoot)) tip = other;
    }
  });
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
