import { Counter, Gauge, type Registry } from 'prom-client';
import type { Broadcaster } from '../broadcaster.ts';
import type { NodePool } from './node-pool.ts';
import type { PoolNode } from './pool-node.ts';
import { stateOf } from './status.ts';

/** Shows the pool in Prometheus; everything is counted by the pool itself and read when it is asked for. */
export function measurePool(registry: Registry, pool: NodePool, broadcaster: Broadcaster): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: (node: PoolNode) => number) =>
    new Gauge({
      ...{ name, help, registers, labelNames: ['node'] as const },
      collect() {
        for (const node of pool.nodes) this.set({ node: node.name }, value(node));
      },
    });
  gauge('cairn_node_healthy', '1 when a node is asked like the best.', node => (pool.rankOf(node) === 0 ? 1 : 0));
  gauge('cairn_node_up', '1 when a node answers health checks.', node => (node.health.state === 'up' ? 1 : 0));
  gauge('cairn_node_ejected', '1 while calls keep away from a node.', node =>
    stateOf(pool, node) === 'ejected' ? 1 : 0,
  );
  gauge('cairn_node_height', 'Height of the tip of a node, -1 while it is unknown.', node => node.height);
  gauge('cairn_node_lag_blocks', 'Blocks that a node is behind the best.', node =>
    node.height < 0 ? 0 : Math.max(0, pool.best - node.height),
  );
  gauge('cairn_node_latency_seconds', 'Mean time until a node begins to answer.', node => node.latencyMs / 1000);
  gauge('cairn_node_in_flight', 'Calls under way.', node => node.inFlight);
  new Counter({
    name: 'cairn_node_calls_total',
    help: 'Calls to a node by what came of them.',
    labelNames: ['node', 'outcome'] as const,
    registers,
    collect() {
      this.reset();
      for (const { name: node, counts } of pool.nodes) {
        this.inc({ node, outcome: 'answered' }, counts.answered);
        for (const [outcome, count] of Object.entries(counts.failed)) this.inc({ node, outcome }, count);
      }
    },
  });
  new Counter({
    name: 'cairn_node_hedges_total',
    help: 'Calls that were made because another node was late.',
    labelNames: ['node'] as const,
    registers,
    collect() {
      this.reset();
      for (const { name: node, counts } of pool.nodes) this.inc({ node }, counts.hedged);
    },
  });
  new Counter({
    name: 'cairn_broadcasts_total',
    help: 'Transactions that clients sent, by what came of them.',
    labelNames: ['outcome'] as const,
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(broadcaster.counts)) this.inc({ outcome }, count);
    },
  });
}
