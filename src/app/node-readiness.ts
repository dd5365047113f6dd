import type { NodePool } from '../proxy/pool/node-pool.ts';
import type { ReadinessCheck } from '../read/status/health.ts';

/** Milliseconds after which a different branch is not explained by the propagation time of blocks. */
const OFF_CHAIN_MS = 3000;

/** Compares the served chain with healthy nodes; nodes that do not respond are ignored. */
export function nodeReadiness(pool: NodePool, maxBehind: number, offChainMs = OFF_CHAIN_MS): ReadinessCheck[] {
  return [
    ({ height }) =>
      pool.best - height > maxBehind
        ? `the served chain ends at block ${height}, ${pool.best - height} blocks behind the nodes, more than the ${maxBehind} allowed`
        : undefined,
    () => {
      const up = pool.nodes.filter(({ health }) => health.state === 'up' && health.believed);
      const off = up.filter(
        ({ offChainSince }) => offChainSince !== undefined && Date.now() - offChainSince >= offChainMs,
      );
      if (up.length === 0 || off.length < up.length) return undefined;
      const tips = off.map(({ name, height }) => `${name} at block ${height}`).join(', ');
      return `the served chain is on another branch than all healthy nodes (${tips})`;
    },
  ];
}
