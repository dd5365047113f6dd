import { Counter, Gauge, type Registry } from 'prom-client';
import type { Broadcaster } from '../broadcaster.ts';
import type { NodePool } from './node-pool.ts';
import type { PoolNode } from './pool-node.ts';
import { stateOf } from './status.ts';

/** Registers the metrics of the pool; the pool counts, and a scrape reads its counters. */
export function measurePool(registry: Registry, pool: NodePool, broadcaster: Broadcaster): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: (node: PoolNode) => number) =>
    new Gauge({
      ...{ name, help, registers, labelNames: ['node'] as const },
      collect() {
        for (const node of pool.nodes) this.set({ node: node.name }, value(node));
      },
    });
  gauge('cairn_node_healthy', '1 when a node is used like the best one, else 0.', node =>
    pool.rankOf(node) === 0 ? 1 : 0,
  );
  gauge('cairn_node_up', '1 when a node responds to health checks, else 0.', node =>
    node.health.state === 'up' ? 1 : 0,
  );
  gauge('cairn_node_ejected', '1 while a node gets no calls because of failures, else 0.', node =>
    stateOf(pool, node) === 'ejected' ? 1 : 0,
  );
  gauge('cairn_node_height', 'Height of the tip of a node, -1 while it is unknown.', node => node.height);
  gauge('cairn_node_lag_blocks', 'Blocks that a node is behind the best one.', node =>
    node.height < 0 ? 0 : Math.max(0, pool.best - node.height),
  );
  gauge('cairn_node_latency_seconds', 'Mean time until a node starts to respond.', node => node.latencyMs / 1000);
  gauge('cairn_node_in_flight', 'Calls in progress.', node => node.inFlight);
  new Counter({
    name: 'cairn_node_calls_total',
    help: 'Calls to a node, by outcome.',
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
    help: 'Calls made because another node was slow.',
    labelNames: ['node'] as const,
    registers,
    collect() {
      this.reset();
      for (const { name: node, counts } of pool.nodes) this.inc({ node }, counts.hedged);
    },
  });
  new Counter({
    name: 'cairn_broadcasts_total',
    help: 'Transactions that clients sent, by outcome.',
    labelNames: ['outcome'] as const,
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(broadcaster.counts)) this.inc({ outcome }, count);
    },
  });
}
