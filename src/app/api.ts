import { readExplorer } from '../api/explorer/files.ts';
import { type Api, buildApi, type OnResponse } from '../api/server.ts';
import type { TipCache } from '../cache/tip-cache.ts';
import type { Config } from '../config/config.ts';
import { isForwarded } from '../config/forwarding.ts';
import { PIPELINED_CONNECTIONS, type Pool } from '../db/client.ts';
import type { Reads } from '../db/reads.ts';
import { ApiKeys } from '../http/keys/key-cache.ts';
import { KeyGate } from '../http/keys/key-gate.ts';
import { RateGate } from '../http/limits/rate-limits.ts';
import type { HttpListener } from '../http/listener.ts';
import type { Handler } from '../http/pipelines.ts';
import type { Log } from '../log.ts';
import { type Metrics, responseRecorder } from '../metrics.ts';
import type { Network } from '../network.ts';
import { readOnlyCaller } from '../node/read-only-call.ts';
import { openForwarding } from '../proxy/forward/forwarding.ts';
import { openReadCaches } from '../read/read-caches.ts';
import { type Realtime, realtimeLimits, startRealtime } from '../realtime/realtime.ts';
import { poolSize } from './database.ts';
import { type DevnetFaucet, openFaucets } from './faucets.ts';
import type { Following } from './following/following.ts';
import type { Appender } from './ingest.ts';
import type { Lifecycle } from './lifecycle.ts';
import { postToPool } from './node-call.ts';
import { openNodeProxy } from './node-proxy.ts';
import type { Observability } from './observability/observability.ts';
import { poxGeometryOf } from './pox-geometry.ts';
import { rosettaApi } from './rosetta.ts';
import { rosettaChain } from './rosetta-chain.ts';

export type ApiParts = {
  config: Config;
  listener: HttpListener;
  /** The primary, for what replicas may not have yet. */
  primary: Pool;
  sql: Pool;
  reads: Reads;
  tip: TipCache;
  network: Network;
  metrics: Metrics;
  observability: Observability;
  nodes: Config['nodes'];
  following: Following;
  /** Receives accepted transactions; undefined without nodes. */
  events: Appender | undefined;
  log: Log;
  /** The faucet account of the simulated devnet; undefined if that does not run. */
  devnetFaucet: DevnetFaucet | undefined;
  /** Called as soon as realtime clients can connect, so that a failed start can stop them. */
  onRealtime: (realtime: Realtime) => void;
};

export type RunningApi = Api & { handler: Handler };

/** Starts realtime clients, the node proxy, Rosetta and faucets, and builds the API that serves them. */
export async function startApi(parts: Lifecycle, options: ApiParts): Promise<RunningApi> {
  const { config, listener, sql, tip, network, metrics, observability, nodes, following, events, log } = options;
  const rates = openRateLimits(config, await openKeys(parts, options), log);
  const forwarding = openForwarding(config, metrics, log.child({ part: 'forwarding' }));
  if (forwarding) parts.add('forwarding', forwarding, () => forwarding.stop());
  const realtime = startRealtime({
    server: listener.server,
    sql,
    tip,
    limits: realtimeLimits(config),
    clientOf: request => rates.clientOf(request),
    refusal: (request, units) => rates.refusal(request, units),
    denial: (request, upgraded) => rates.denial(request, upgraded),
    log: log.child({ part: 'realtime' }),
    metrics,
    ...(forwarding && { forwards: forwarding.sockets }),
    signerMetrics: !isForwarded(config, 'signer-metrics'),
  });
  options.onRealtime(realtime);
  const proxy = openNodeProxy({
    config,
    pool: following.pool,
    network,
    sql,
    tip,
    metrics,
    log: log.child({ part: 'nodes' }),
    events,
    onForwarded: observability.onForwarded,
  });
  const record = responseRecorder(metrics);
  const { onRequest, onResponse: observe } = observability;
  const onResponse: OnResponse = observe
    ? (route, method, status, seconds, request) => {
        record(route, method, status, seconds);
        observe(route, method, status, seconds, request);
      }
    : record;
  const callReadOnly = nodes.length > 0 ? readOnlyCaller(postToPool(proxy.pool)) : undefined;
  const pool = nodes.length > 0 ? proxy.pool : undefined;
  const chain = rosettaChain({ nodes: proxy, sql, tip });
  const rosetta =
    config.rosetta &&
    rosettaApi({ config, network, sql, pool, chain, callReadOnly, log: log.child({ part: 'rosetta' }) });
  const faucets = openFaucets({
    ...{ config, network, chain, sql, devnet: options.devnetFaucet },
    nodes: proxy,
    log: log.child({ part: 'faucet' }),
  });
  const { readyMaxLag, bodyLimit, maxInFlight, deprecatedEndpoints } = config;
  const explorer = readExplorer();
  if (!explorer) log.warn('the explorer is not built: / leads to /extended. "npm run build" builds it');
  const api = await buildApi({
    sql,
    tip,
    network,
    readyMaxLag,
    readiness: following.checks,
    conditions: () => following.conditions(),
    bodyLimit,
    maxInFlight,
    reads: options.reads,
    heightWaitMs: config.heightWait * 1000,
    atOnce: Math.max(poolSize(config), 8 * PIPELINED_CONNECTIONS),
    cacheBytes: config.responseCacheBytes,
    caches: openReadCaches({ itemBytes: config.itemCacheBytes }),
    deprecatedEndpoints,
    rates,
    faucets,
    log: log.child({ part: 'api' }),
    onResponse,
    nodes: proxy.routes,
    poxGeometry: poxGeometryOf(network, proxy.pool),
    shape: config.compat === '9' ? '9.0' : config.compat,
    ...(callReadOnly && { callReadOnly }),
    ...(explorer && { explorer }),
    ...(rosetta && { rosetta }),
    ...(forwarding && { forwarding }),
  });
  const fastPath = proxy.fastPath(onResponse);
  const handler: Handler = (request, response) => {
    onRequest?.(request);
    // The framework sends the response of a rejected request.
    const rejected = rates.admits(request, response)?.allowed === false;
    if (rejected || !fastPath(request, response)) api.app.routing(request, response);
  };
  return { ...api, handler };
}

/** Follows the API keys, unless they are off. */
async function openKeys(parts: Lifecycle, { config, primary, metrics, log }: ApiParts): Promise<KeyGate | undefined> {
  if (config.apiKeys === 'off') return undefined;
  const keys = new ApiKeys({ sql: primary, log: log.child({ part: 'keys' }) });
  parts.add('keys', keys, () => keys.stop());
  await keys.start();
  const defaults = { perSecond: config.rateLimit, burst: config.rateBurst, maxOpen: config.maxOpenPerClient };
  return new KeyGate({ required: config.apiKeys === 'required', keys, defaults, metrics });
}

function openRateLimits(config: Config, keys: KeyGate | undefined, log: Log): RateGate {
  return new RateGate({
    ...(keys && { keys }),
    perSecond: config.rateLimit,
    burst: config.rateBurst,
    maxOpen: config.maxOpenPerClient,
    trustedProxies: config.trustedProxies,
    onUntrustedProxy: address =>
      log.warn(
        { address },
        'requests with X-Forwarded-For arrive from an address that is not in CAIRN_TRUSTED_PROXIES: all clients behind it ' +
          'count as one client (and are not limited if it is on this machine); if it is your reverse proxy, add it to the setting',
      ),
  });
}
