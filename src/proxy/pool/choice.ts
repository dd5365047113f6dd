import type { PoolNode } from './pool-node.ts';

/**
 * Rank of a node: 0 healthy and near the best tip; 1 healthy but behind, unconfirmed or not yet checked; 2 ejected although
 * its last check succeeded; 3 unusable.
 */
export type Rank = 0 | 1 | 2 | 3;

export type Tips = { best: number; maxLag: number };

export function rankOf({ health, breaker }: PoolNode, { best, maxLag }: Tips): Rank {
  if (health.state === 'down') return 3;
  if (breaker.open) return 2;
  if (health.state === 'unknown') return 1;
  return health.believed && health.height >= best - maxLag ? 0 : 1;
}

export type Wish = {
  /** Nodes that were already called. */
  except?: readonly PoolNode[];
  /** Worst acceptable rank. */
  worst?: Rank;
  /** Preferred over all others of rank 0 and 1. */
  prefer?: PoolNode | undefined;
};

/** The cheapest node of the best rank with a free connection; undefined if there is none. */
export function chooseNode(nodes: readonly PoolNode[], tips: Tips, wish: Wish = {}): PoolNode | undefined {
  const { except = [], worst = 2, prefer } = wish;
  const free = (node: PoolNode) => node.inFlight < node.connections && !except.includes(node);
  if (prefer && free(prefer) && rankOf(prefer, tips) <= Math.min(1, worst)) return prefer;
  let chosen: PoolNode | undefined;
  let chosenRank: Rank = 3;
  let cost = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    if (!free(node)) continue;
    const rank = rankOf(node, tips);
    if (rank > worst || rank === 3 || rank > chosenRank) continue;
    const own = node.cost;
    if (rank === chosenRank && own >= cost) continue;
    chosen = node;
    chosenRank = rank;
    cost = own;
  }
  return chosen;
}

/** The reference height: the greatest confirmed height of a node; -1 if there is none. */
export function bestTip(nodes: readonly PoolNode[]): number {
  return nodes.reduce((best, { health }) => {
    return health.state === 'up' && health.believed ? Math.max(best, health.height) : best;
  }, -1);
}
