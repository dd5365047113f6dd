import type { Network } from '@cairn-stacks/codec/network';
import type { FastifyPluginAsync } from 'fastify';
import type { TipCache } from '../cache/tip-cache.ts';
import type { Config } from '../config/config.ts';
import type { Pool } from '../db/client.ts';
import type { Reads } from '../db/reads.ts';
import { commonHeaders } from '../http/headers.ts';
import { forwardedContext } from '../http/request-context.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { type FastPathOptions, fastPath } from '../proxy/fast-path.ts';
import { NodeProxy, type NodeProxyOptions as ProxyOptions } from '../proxy/node-proxy.ts';
import type { NodePool } from '../proxy/pool/node-pool.ts';
import { nodeRoutes } from '../proxy/routes.ts';
import { type Sent, sendTransaction } from '../proxy/transaction-route.ts';
import { Broadcasts } from './broadcasts.ts';
import type { Appender } from './own-events.ts';

export type NodeProxyOptions = {
  config: Config;
  pool: NodePool;
  network: Network;
  sql: Pool;
  reads: Reads;
  tip: TipCache;
  metrics: Metrics;
  log: Log;
  /** Called after each request that went to the nodes. */
  onForwarded?: ProxyOptions['onForwarded'] | undefined;
  /** Receives accepted transactions; if undefined, they appear when a node reports them. */
  events: Appender | undefined;
};

/** The routes to the node pool, and the handler that bypasses the framework. */
export type NodeAccess = {
  pool: NodePool;
  /** Broadcasts a transaction as `POST /v2/transactions` does. */
  send(raw: Uint8Array): Promise<Sent>;
  routes: FastifyPluginAsync;
  fastPath(onResponse: FastPathOptions['onResponse']): ReturnType<typeof fastPath>;
};

/** Opens the proxy in front of the node pool. */
export function openNodeProxy(options: NodeProxyOptions): NodeAccess {
  const { config, pool, network, sql, reads, tip, metrics, log, events } = options;
  const broadcasts = events && new Broadcasts({ events, sql, tip });
  const { bodyLimit, nodePaths, broadcastNodes } = config;
  const proxy = new NodeProxy({
    ...{ pool, reads, tip, network, log, bodyLimit, nodePaths, broadcastNodes },
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
