import type { NodePoolStatus } from '../schemas/node-pool.ts';
import type { NodePool } from './node-pool.ts';
import type { PoolNode } from './pool-node.ts';

const OFF_CHAIN_MS = 60_000;

/** The state of a node in one word. */
export function stateOf(pool: NodePool, node: PoolNode): string {
  const { health, breaker } = node;
  if (health.state !== 'up') return health.state;
  if (breaker.open) return 'ejected';
  if (!health.believed) return 'doubted';
  return pool.rankOf(node) === 0 ? 'healthy' : 'behind';
}

/** The public state of the pool: without addresses and without texts of network errors. */
export function renderPool(pool: NodePool): NodePoolStatus {
  const { nodes, best } = pool;
  return {
    best_height: best < 0 ? null : best,
    healthy: nodes.filter(node => pool.rankOf(node) === 0).length,
    nodes: nodes.map(node => {
      const { health } = node;
      const up = health.state === 'up' ? health : undefined;
      return {
        name: node.name,
        state: stateOf(pool, node),
        reason: health.state === 'down' ? publicReason(health.reason) : null,
        height: up?.height ?? null,
        burn_height: up?.burnHeight ?? null,
        lag: up && best >= 0 ? Math.max(0, best - up.height) : null,
        peer_lag: up?.peerLag ?? null,
        latency_ms: Math.round(node.latencyMs * 10) / 10,
        in_flight: node.inFlight,
        ejections: node.breaker.opened,
        weight: node.weight,
        checked_at: health.state === 'unknown' ? null : new Date(health.at).toISOString(),
        off_chain_since: offChainSince(node),
        server_version: typeof up?.info.server_version === 'string' ? up.info.server_version : null,
      };
    }),
  };
}

/** Shown after a minute; a shorter difference may be the propagation time of a block. */
function offChainSince({ offChainSince: since }: PoolNode): string | null {
  return since !== undefined && Date.now() - since >= OFF_CHAIN_MS ? new Date(since).toISOString() : null;
}

/** Texts of network errors contain addresses. */
function publicReason(reason: string): string {
  if (/^it /.test(reason)) return reason;
  if (/timeout/i.test(reason)) return 'it does not respond in time';
  if (/^(RpcError|HPE_)/.test(reason)) return 'its response is invalid';
  return 'it cannot be reached';
}
