import type { Network } from '@cairn-stacks/codec/network';
import type { Config } from '../../config/config.ts';
import type { Pool } from '../../db/client.ts';
import type { Healer } from '../../ingest/heal/healer.ts';
import type { NodeTip } from '../../ingest/heal/node-tips.ts';
import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import { BranchWatch } from '../../proxy/pool/branch-watch.ts';
import { NodePool } from '../../proxy/pool/node-pool.ts';
import type { PoolNode } from '../../proxy/pool/pool-node.ts';
import type { IngestConditions } from '../../read/status/conditions-schema.ts';
import type { ReadinessCheck } from '../../read/status/health.ts';
import type { RunningDatabase } from '../database.ts';
import type { RunningReads } from '../reads.ts';
import type { Start } from '../start.ts';
import type { Suspension } from '../suspension.ts';
import { NodeComparison } from './node-comparison.ts';
import { StallWatch } from './stall-watch.ts';

export type FollowingOptions = {
  config: Config;
  nodes: Config['nodes'];
  network: Network;
  /** Connections that are not used by slow statements. */
  sql: Pool;
  log: Log;
  suspension: Pick<Suspension, 'reason'>;
};

export type FollowingParts = {
  database: RunningDatabase;
  reads: RunningReads;
  nodes: Config['nodes'];
  network: Network;
};

/** Follows the nodes of the service. */
export const openFollowing = ({ config, log }: Start, { database, reads, nodes, network }: FollowingParts) =>
  Following.open({
    ...{ config, nodes, network, sql: reads.probes, suspension: database.suspension },
    log: log.child({ part: 'nodes' }),
  });

/** Milliseconds that the start waits for further nodes when one was compared, and for the first one to be. */
const OTHERS_MS = 1500;
const FIRST_MS = 3500;

/** Knows whether the served chain is the one of the nodes and the best one that was received. */
export class Following {
  readonly pool: NodePool;
  readonly #nodes: NodeComparison;
  readonly #stall: StallWatch;
  readonly #branches: BranchWatch;
  readonly #options: FollowingOptions;
  /** Fetches the missing tips, once it runs. */
  healer: Pick<Healer, 'tipFailed'> | undefined;

  private constructor(options: FollowingOptions) {
    const { config, nodes, network, sql, log } = options;
    this.#options = options;
    this.#branches = new BranchWatch(sql);
    this.#stall = new StallWatch({ sql, log });
    this.pool = new NodePool({
      nodes,
      chainId: network.chainId,
      timeoutMs: config.nodeTimeout * 1000,
      hedgeDelayMs: config.nodeHedgeDelay,
      maxLag: config.nodeMaxLag,
      connections: config.nodeConnections,
      responseLimit: config.nodeResponseLimit,
      indexHeight: () => this.#stall.height,
      onChange: (node, state) => log.info({ node: node.name }, `${node.name} is ${state}`),
      onCheck: node => void this.#compare(node),
    });
    this.#nodes = new NodeComparison({
      pool: this.pool,
      maxBehind: config.readyMaxBehind,
      fetchFailed: () => this.healer?.tipFailed === true,
    });
  }

  /** Starts to follow; resolves when the served chain was compared with a node, or no node responds. */
  static async open(options: FollowingOptions): Promise<Following> {
    const following = new Following(options);
    await following.#stall.start();
    await following.#compareFirst();
    return following;
  }

  async stop(): Promise<void> {
    await this.#stall.stop();
    await this.pool.stop();
  }

  /** Reasons not to be ready. */
  get checks(): ReadinessCheck[] {
    return [this.#stall.check, ...this.#nodes.checks];
  }

  conditions(): IngestConditions {
    return {
      suspended: this.#options.suspension.reason ?? null,
      stalled: this.#stall.report,
      failing: this.#stall.failing,
      nodes: this.pool.nodes.length === 0 ? null : this.#nodes.report(this.#stall.height),
    };
  }

  missingTips(): NodeTip[] {
    return this.#nodes.missingTips();
  }

  /** Sets the gauges before a scrape. */
  measure(metrics: Metrics): void {
    metrics.foldStalled.set(this.#stall.seconds);
    metrics.tipMissing.set(this.#nodes.missingSeconds);
    metrics.ingestSuspended.set(this.#options.suspension.reason === undefined ? 0 : 1);
  }

  /** A node that does not respond is not waited for once another one was compared. */
  async #compareFirst(): Promise<void> {
    const all = this.pool.start().then(() => Promise.all(this.pool.nodes.map(node => this.#compare(node))));
    const isCompared = () => this.pool.nodes.some(({ comparison }) => comparison !== undefined);
    let done = false;
    void all.finally(() => {
      done = true;
    });
    const start = performance.now();
    while (!done && performance.now() - start < (isCompared() ? OTHERS_MS : FIRST_MS)) {
      await Promise.race([all, new Promise(resolve => setTimeout(resolve, 50).unref())]);
    }
  }

  async #compare(node: PoolNode): Promise<void> {
    try {
      await this.#branches.compare(node);
      this.#nodes.note(node);
    } catch (error) {
      // The next check compares again; until then the branch of the node is unknown.
      node.comparison = undefined;
      node.offChainSince = undefined;
      const { log } = this.#options;
      log.debug({ err: error, node: node.name }, 'the tip of a node could not be compared with the served chain');
    }
  }
}
