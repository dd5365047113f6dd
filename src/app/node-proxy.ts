import type { FastifyPluginAsync } from 'fastify';
import { commonHeaders } from '../api/http/headers.ts';
import type { TipCache } from '../cache/tip-cache.ts';
import type { Config } from '../config/config.ts';
import type { Pool } from '../db/client.ts';
import type { EventLog } from '../ingest/log/event-log.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Network } from '../network.ts';
import { type FastLaneOptions, fastLane } from '../proxy/fast-lane.ts';
import { NodeProxy } from '../proxy/node-proxy.ts';
import { BranchWatch } from '../proxy/pool/branch-watch.ts';
import { NodePool } from '../proxy/pool/node-pool.ts';
import { nodeRoutes } from '../proxy/routes.ts';
import { type Sent, sendTransaction } from '../proxy/transaction-route.ts';
import { Broadcasts } from './broadcasts.ts';

export type NodeProxyOptions = {
  config: Config;
  network: Network;
  sql: Pool;
  tip: TipCache;
  metrics: Metrics;
  log: Log;
  /** Takes accepted transactions; without it they wait for a node to report them. */
  events: EventLog | undefined;
};

/** The nodes, the routes that lead to them, and the short way past the framework. */
export type NodeAccess = {
  pool: NodePool;
  /** Sends a transaction as the route for clients does. */
  send(raw: Uint8Array): Promise<Sent>;
  routes: FastifyPluginAsync;
  lane(onAnswer: FastLaneOptions['onAnswer']): ReturnType<typeof fastLane>;
};

/** The first checks may take so long before the service opens without them. */
const FIRST_CHECKS_MS = 1500;

/** Starts the pool of the settings' nodes and what leads to it. */
export async function startNodeProxy(options: NodeProxyOptions): Promise<NodeAccess> {
  const { config, network, sql, tip, metrics, log, events } = options;
  const watch = new BranchWatch(sql);
  const pool = new NodePool({
    nodes: config.nodes,
    chainId: network.chainId,
    timeoutMs: config.nodeTimeout * 1000,
    hedgeDelayMs: config.nodeHedgeDelay,
    maxLag: config.nodeMaxLag,
    connections: config.nodeConnections,
    answerLimit: config.nodeAnswerLimit,
    indexHeight: () => tip.current?.height ?? -1,
    onChange: (node, state) => log.info({ node: node.name }, `${node.name} is ${state}`),
    onCheck: node => {
      watch.compare(node).catch(error => {
        // The next check compares again; meanwhile nothing is said of the node.
        node.offChainSince = undefined;
        log.debug({ err: error, node: node.name }, 'the tip of a node could not be compared with the served chain');
      });
    },
  });
  await Promise.race([pool.start(), new Promise(resolve => setTimeout(resolve, FIRST_CHECKS_MS).unref())]);
  const broadcasts = events && new Broadcasts({ events, sql, tip });
  const { bodyLimit, nodePaths, broadcastNodes } = config;
  const proxy = new NodeProxy({
    ...{ pool, sql, tip, network, log, bodyLimit, nodePaths, broadcastNodes },
    registry: metrics.registry,
    ...(broadcasts && { announce: raw => broadcasts.announce(raw) }),
  });
  const own = Object.entries(commonHeaders).flat();
  const lane = (onAnswer: FastLaneOptions['onAnswer']) =>
    fastLane({ proxy, own, maxInFlight: config.maxInFlight, onAnswer });
  const send = (raw: Uint8Array) => sendTransaction(proxy, { raw, attachment: undefined });
  return { pool, send, routes: nodeRoutes(proxy), lane };
}
