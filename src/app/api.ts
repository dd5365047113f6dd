import type { IncomingMessage } from 'node:http';
import type { Network } from '@cairn-stacks/codec/network';
import type { Simulation } from '@cairn-stacks/devnet/simulation';
import { isAdminOfChainhooks } from '../api/chainhooks/access.ts';
import { readExplorer } from '../api/explorer/files.ts';
import { type Api, buildApi, type OnResponse } from '../api/server.ts';
import type { TipCache } from '../cache/tip-cache.ts';
import type { ChainhookAdmin } from '../chainhooks/manage.ts';
import type { Config } from '../config/config.ts';
import { isForwarded } from '../config/forwarding.ts';
import { PIPELINED_CONNECTIONS, type Pool } from '../db/client.ts';
import { ApiKeys } from '../http/keys/key-cache.ts';
import { KeyGate } from '../http/keys/key-gate.ts';
import { RateGate } from '../http/limits/rate-limits.ts';
import type { HttpListener } from '../http/listener.ts';
import type { Handler } from '../http/pipelines.ts';
import type { Log } from '../log.ts';
import { openPictures } from '../metadata/fetch/picture-source.ts';
import { type Metrics, responseRecorder } from '../metrics.ts';
import { readOnlyCaller } from '../node/read-only-call.ts';
import { openForwarding } from '../proxy/forward/forwarding.ts';
import { Simulator } from '../proxy/simulator.ts';
import { openReadCaches } from '../read/read-caches.ts';
import { realtimeLimits, startRealtime } from '../realtime/realtime.ts';
import { openChainhooks } from './chainhooks.ts';
import { poolSize, type RunningDatabase } from './database.ts';
import { devnetFaucet } from './devnet/devnet.ts';
import { openFaucets } from './faucets.ts';
import type { Following } from './following/following.ts';
import { readLabels } from './labels.ts';
import { type Lifecycle, startTogether } from './lifecycle.ts';
import { nodeBlockReader } from './node-block.ts';
import { postToPool } from './node-call.ts';
import { openNodeProxy } from './node-proxy.ts';
import type { Observability } from './observability/observability.ts';
import type { Appender } from './own-events.ts';
import { poxGeometryOf } from './pox-geometry.ts';
import type { RunningReads } from './reads.ts';
import { rosettaApi } from './rosetta.ts';
import { rosettaChain } from './rosetta-chain.ts';
import type { Start } from './start.ts';

export type ApiParts = {
  listener: HttpListener;
  tip: TipCache;
  observability: Observability;
  database: RunningDatabase;
  reads: RunningReads;
  network: Network;
  nodes: Config['nodes'];
  following: Following;
  /** Receives accepted transactions; undefined without nodes. */
  events: Appender | undefined;
  devnet: Simulation | undefined;
  /** Where this process sends webhooks. */
  webhooks: ChainhookAdmin | undefined;
};

export type RunningApi = Api & { handler: Handler; stop(): Promise<void> };

/** Starts realtime clients, the node proxy, Rosetta and faucets, and builds the API that serves them. */
export async function startApi(start: Start, options: ApiParts): Promise<RunningApi> {
  const { config, log, metrics } = start;
  const { listener, tip, observability, database, reads, network, nodes, following, events, devnet } = options;
  const { sql, servers, responses } = reads;
  const heightWaitMs = config.heightWait * 1000;
  return await startTogether(log, async parts => {
    const rates = openRateLimits(config, await openKeys(parts, start, database.primary), log);
    const forwarding = openForwarding(config, metrics, log.child({ part: 'forwarding' }));
    if (forwarding) parts.add('forwarding', forwarding);
    const realtime = startRealtime({
      server: listener.server,
      sql,
      tip,
      limits: realtimeLimits(config),
      heightWaitMs,
      clientOf: request => rates.clientOf(request),
      refusal: (request, units) => rates.refusal(request, units),
      denial: (request, upgraded) => rates.denial(request, upgraded),
      log: log.child({ part: 'realtime' }),
      metrics,
      ...(forwarding && { forwards: forwarding.sockets }),
      signerMetrics: !isForwarded(config, 'signer-metrics'),
    });
    const graceMs = config.stopTimeout * 1000;
    // Both at once: the listener stops when its last connection has ended, realtime connections included.
    const stopClients = () => Promise.all([listener.stop(graceMs / 2), realtime.stop(graceMs / 4)]);
    parts.onStop('client connections', stopClients);
    const proxy = openNodeProxy({
      config,
      pool: following.pool,
      network,
      sql,
      reads: servers,
      tip,
      metrics,
      log: log.child({ part: 'nodes' }),
      events,
      onForwarded: observability.onForwarded,
    });
    const onResponse = reportResponse(metrics, observability);
    const callReadOnly = nodes.length > 0 ? readOnlyCaller(postToPool(proxy.pool)) : undefined;
    const pool = nodes.length > 0 ? proxy.pool : undefined;
    const simulator = pool && new Simulator({ pool, network, log: log.child({ part: 'nodes' }) });
    const chain = rosettaChain({ nodes: proxy, reads: servers, tip, blockHash: config.rosettaBlockHash });
    const rosetta =
      config.rosetta && rosettaApi({ config, network, pool, chain, callReadOnly, log: log.child({ part: 'rosetta' }) });
    const faucets = openFaucets({
      ...{ config, network, chain, sql, devnet: devnet && devnetFaucet },
      nodes: proxy,
      log: log.child({ part: 'faucet' }),
    });
    const { readyMaxLag, bodyLimit, maxInFlight, deprecatedEndpoints } = config;
    const explorer = readExplorer();
    const pictures = openShownPictures(parts, config);
    if (!explorer) log.warn('the explorer is not built: / leads to /extended. "npm run build" builds it');
    const api = await buildApi({
      pool: sql,
      tip,
      network,
      readyMaxLag,
      readiness: following.checks,
      conditions: () => following.conditions(),
      bodyLimit,
      maxInFlight,
      reads: servers,
      heightWaitMs,
      atOnce: Math.max(poolSize(config), 8 * PIPELINED_CONNECTIONS),
      responses,
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
      ...(pool && { readNodeBlock: nodeBlockReader(pool) }),
      ...(simulator && { simulate: (raw, context) => simulator.simulate(raw, context) }),
      ...(explorer && { explorer }),
      ...(pictures && { pictures }),
      labels: readLabels(config),
      ...(rosetta && { rosetta }),
      ...(forwarding && { forwarding }),
      streams: realtime.streams,
      chainhooks: openChainhooks(parts, config, options.webhooks ?? { database, network }),
    });
    const fastPath = proxy.fastPath(onResponse);
    const handler: Handler = (request, response) => {
      observability.onRequest?.(request);
      // The framework sends the response of a rejected request.
      const rejected = rates.admits(request, response)?.allowed === false;
      if (rejected || !fastPath(request, response)) api.app.routing(request, response);
    };
    return { ...api, handler };
  });
}

/** The pictures that the explorer shows, where what tokens name may be fetched. */
function openShownPictures(parts: Lifecycle, config: Config) {
  if (config.metadata !== 'full' || isForwarded(config, 'metadata')) return undefined;
  const pictures = openPictures(config);
  parts.onStop('pictures', () => pictures.close());
  return pictures;
}

/** Counts a response, and logs or traces it where the settings say so. */
function reportResponse(metrics: Metrics, { onResponse: observe }: Observability): OnResponse {
  const record = responseRecorder(metrics);
  if (!observe) return record;
  return (route, method, status, seconds, request) => {
    record(route, method, status, seconds);
    observe(route, method, status, seconds, request);
  };
}

/** Follows the API keys, unless they are off. */
async function openKeys(
  parts: Lifecycle,
  { config, metrics, log }: Start,
  primary: Pool,
): Promise<KeyGate | undefined> {
  if (config.apiKeys === 'off') return undefined;
  const keys = new ApiKeys({ sql: primary, log: log.child({ part: 'keys' }) });
  parts.add('keys', keys);
  await keys.start();
  const defaults = { perSecond: config.rateLimit, burst: config.rateBurst, maxOpen: config.maxOpenPerClient };
  const isLeftToRoute = (request: IncomingMessage, text: string) =>
    isAdminOfChainhooks(request, text, config.adminToken);
  return new KeyGate({ required: config.apiKeys === 'required', isLeftToRoute, keys, defaults, metrics });
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
