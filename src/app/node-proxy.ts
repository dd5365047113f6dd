import type { FastifyPluginAsync } from 'fastify';
import type { TipCache } from '../cache/tip-cache.ts';
import type { Config } from '../config/config.ts';
import type { Pool } from '../db/client.ts';
import { commonHeaders } from '../http/headers.ts';
import { forwardedContext } from '../http/request-context.ts';
import type { EventLog } from '../ingest/log/event-log.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Network } from '../network.ts';
import { type FastPathOptions, fastPath } from '../proxy/fast-path.ts';
import { NodeProxy, type NodeProxyOptions as ProxyOptions } from '../proxy/node-proxy.ts';
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
  /** Called after each request that went to the nodes. */
  onForwarded?: ProxyOptions['onForwarded'] | undefined;
  /** Receives accepted transactions; if undefined, they appear when a node reports them. */
  events: EventLog | undefined;
};

/** The node pool, the routes to it, and the handler that bypasses the framework. */
export type NodeAccess = {
  pool: NodePool;
  /** Broadcasts a transaction as `POST /v2/transactions` does. */
  send(raw: Uint8Array): Promise<Sent>;
  routes: FastifyPluginAsync;
  fastPath(onResponse: FastPathOptions['onResponse']): ReturnType<typeof fastPath>;
};

/** Milliseconds that the start waits for the first health checks. */
const FIRST_CHECKS_MS = 1500;

/** Starts the node pool and the proxy in front of it. */
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
    responseLimit: config.nodeResponseLimit,
    indexHeight: () => tip.current?.height ?? -1,
    onChange: (node, state) => log.info({ node: node.name }, `${node.name} is ${state}`),
    onCheck: node => {
      watch.compare(node).catch(error => {
        // The next check compares again; until then the branch of the node is unknown.
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
    contextOf: forwardedContext,
    ...(options.onForwarded && { onForwarded: options.onForwarded }),
    ...(broadcasts && { announce: raw => broadcasts.announce(raw) }),
  });
  const own = Object.entries(commonHeaders).flat();
  const openFastPath = (onResponse: FastPathOptions['onResponse']) =>
    fastPath({ proxy, own, maxInFlight: config.maxInFlight, onResponse });
  const send = (raw: Uint8Array) => sendTransaction(proxy, { raw, attachment: undefined });
  return { pool, send, routes: nodeRoutes(proxy), fastPath: openFastPath };
}
