import type { ReadinessCheck } from '../api/http/health.ts';
import { type Handler, type HttpListener, openListener, starting } from '../api/http/listener.ts';
import { serveMetrics } from '../api/http/metrics-server.ts';
import { RateGate } from '../api/http/rate-limits.ts';
import { type Api, buildApi } from '../api/server.ts';
import { Auditor } from '../audit/auditor.ts';
import { openReadCaches } from '../cache/read-caches.ts';
import { TipCache } from '../cache/tip-cache.ts';
import type { Config } from '../config/config.ts';
import type { NodeSetting } from '../config/setting.ts';
import { answering, type ConnectOptions, connect, type Pool, SHARED_CONNECTIONS } from '../db/client.ts';
import type { Simulation } from '../devnet/simulation.ts';
import { UsageError } from '../errors.ts';
import { type FoldThread, startFoldThread } from '../ingest/fold/fold-thread.ts';
import { Healer } from '../ingest/heal/healer.ts';
import { EventLog, type EventLogOptions } from '../ingest/log/event-log.ts';
import type { ObserverThread } from '../ingest/observer/observer-thread.ts';
import type { Log } from '../log.ts';
import { answerRecorder, createMetrics, type Metrics } from '../metrics.ts';
import { describeNetwork, type Network, networkOf } from '../network.ts';
import { readOnlyCaller } from '../node/read-only-call.ts';
import { NodeRpc } from '../node/rpc.ts';
import { type Realtime, realtimeLimits, startRealtime } from '../realtime/realtime.ts';
import { ChainIdInquiry } from './chain-id-inquiry.ts';
import { acceptPooler, keepDatabase, poolSize, prepareSchema, untilPrepared, untilReachable } from './database.ts';
import { devnetNode, openDevnet } from './devnet.ts';
import { DiskWatch } from './disk-watch.ts';
import { openFaucets } from './faucets.ts';
import { decideNetwork, devnetAllowed, findIdentity, isLogEmpty, storeIdentity } from './identity.ts';
import { untilNetworkKnown } from './network-search.ts';
import { postToPool } from './node-post.ts';
import { startNodeProxy } from './node-proxy.ts';
import { nodeReadiness } from './node-readiness.ts';
import { openObserver } from './observer.ts';
import { poxGeometryOf } from './pox-geometry.ts';
import { ReadServer } from './read-server.ts';
import { rosettaApi } from './rosetta.ts';
import { rosettaChain } from './rosetta-chain.ts';

/** Answers from memory are no longer given out when the tip could not be read for so long. */
const PROBE_MS = 3000;

/** Where a running app can be reached; parts that the role leaves out are absent. */
export type Addresses = { api?: string; observer?: string; metrics?: string };

/** What is known of an app once it has started. */
export type Running = {
  addresses: Addresses;
  network: Network;
  simulated: boolean;
  /** The simulated node and the funded accounts that are there to be used. */
  devnet?: { url: string; accounts: { address: string; privateKey: string }[] };
};

export type App = {
  start(): Promise<Running>;
  /** Stops what was started, last part first; safe to call at any moment, also while starting. */
  stop(): Promise<void>;
};

/** How long a start whose network is known waits for nodes that may be of another one. */
const NODES_ANSWER_MS = 1000;

/** Parts with their ends, so that stopping is starting in reverse. */
type Part = { name: string; stop(): Promise<void> };

/** The composition root: every long-lived part is built here, in this order, and stopped in the reverse one. */
export function createApp(config: Config, log: Log, onFailure: (error: Error) => void): App {
  const parts: Part[] = [];
  const graceMs = config.stopTimeout * 1000;
  let events: EventLog | undefined;
  let realtime: Realtime | undefined;
  let tip: TipCache | undefined;
  let chain: Network | undefined;
  let step = 'opening the ports';
  let started: Promise<Running> | undefined;
  let stopping: Promise<void> | undefined;
  const halted = () => stopping !== undefined;

  /** Names what happens next, for those who ask meanwhile; ends the start when a stop was asked for. */
  const next = (name: string) => {
    if (halted()) throw new Error('stopped while starting');
    step = name;
  };
  const add = <T>(name: string, part: T, stop: () => Promise<unknown>): T => {
    parts.push({ name, stop: async () => void (await stop()) });
    return part;
  };
  /** Moves a part to the end, for one that was started early and needs all the others to do its work. */
  const stopFirst = (name: string) => {
    const [part] = parts.splice(
      parts.findIndex(each => each.name === name),
      1,
    );
    if (part) parts.push(part);
  };
  const pool = (name: string, url: string, options: Omit<ConnectOptions, 'name'>) => {
    const sql = connect(url, { name: `cairn ${name}`, ...options });
    return add(`pool ${name}`, sql, () => sql.end({ timeout: 5 }));
  };

  async function start(): Promise<Running> {
    if (config.role === 'api' && config.databaseUrl === undefined) {
      throw new UsageError('CAIRN_ROLE=api reads the database of another process: set DATABASE_URL');
    }
    const metrics = createMetrics();
    const first = starting(() => step);
    const { requestTimeout, metricsHost, metricsPort, apiHost, apiPort } = config;
    const requestTimeoutMs = requestTimeout * 1000;
    const onError = (error: Error) => log.error({ err: error }, 'a connection could not be accepted');
    const metricsDoor = await openListener({
      host: metricsHost,
      port: metricsPort,
      portSetting: 'CAIRN_METRICS_PORT',
      first,
      onError,
    });
    add('metrics', metricsDoor, () => metricsDoor.stop(1000));
    const apiDoor =
      config.role === 'ingest'
        ? undefined
        : await openListener({
            host: apiHost,
            port: apiPort,
            portSetting: 'CAIRN_API_PORT',
            first,
            requestTimeoutMs,
            onError,
          });
    const clients = 'connections of clients';
    // At the same time: the door is closed when the last connection has ended, those of realtime among them.
    if (apiDoor) add(clients, apiDoor, () => Promise.all([apiDoor.stop(graceMs / 2), realtime?.stop(graceMs / 4)]));
    const inquiry = new ChainIdInquiry(config.nodes, { onAnswer: checkLateNode });
    add('chain id inquiry', inquiry, () => inquiry.stop());

    next('starting the database');
    const database = await keepDatabase(config, log.child({ part: 'database' }));
    add('database', database, () => database.stop());
    let pooled = false;
    const onPooled = () => {
      pooled = true;
    };
    const primary = pool('main', database.url, { max: 2, readOnly: config.role === 'api', onPooled });
    await untilReachable(primary, log, halted);
    if (pooled) acceptPooler(config.role, log);

    if (database.folder !== undefined) {
      const watch = new DiskWatch(database.folder, log.child({ part: 'disk' }), free => metrics.diskFree.set(free));
      add('disk watch', watch, async () => watch.stop());
    }

    next('preparing the tables');
    const { identity, known, empty } = await identify(primary, inquiry);

    let observer: ObserverThread | undefined;
    let fold: FoldThread | undefined;
    if (config.role !== 'api') {
      next('opening the observer');
      const opened = await openObserver(config, database.url, metrics, log.child({ part: 'observer' }), onFailure);
      observer = add('observer', opened, () => opened.stop(graceMs / 2));
    }
    const observerPort = observer?.port;
    const network = known ?? (await searchNetwork(primary, inquiry, observerPort));
    chain = network;
    const simulated =
      config.role === 'api' ? identity?.simulated === true : config.devnet && devnetAllowed(config, identity, empty);
    if (config.role !== 'api') {
      next('starting ingest');
      await storeIdentity(primary, network, simulated);
      fold = startIngest(database.url, network, metrics);
      observer?.handTo(fold.openInlet());
    }

    let devnet: Simulation | undefined;
    if (simulated && config.role === 'all' && observerPort !== undefined) {
      next('starting the devnet');
      devnet = await openDevnet(config, observerPort, !empty, log.child({ part: 'devnet' }));
      const { stop } = devnet;
      add('devnet', devnet, stop.bind(devnet));
    }

    const nodes = devnet ? [devnetNode(devnet)] : config.nodes;
    // What the process itself adds: transactions that clients sent through it, and blocks that it had to ask for.
    if (nodes.length > 0) events = openEventLog(database.url, appended => fold?.hand(appended));
    if (config.role !== 'api') startHealer(database.url, nodes);

    next('opening the API');
    const reading = await openReadServer(database.url);
    const options = { ...answering, statementTimeoutMs: config.queryTimeout * 1000 };
    const sql = reading.open({ name: 'cairn api', max: poolSize(config), ...options });
    const probes = reading.open({ name: 'cairn probes', max: 2, ...options, statementTimeoutMs: PROBE_MS });
    const api = apiDoor && (await startApi(apiDoor, sql, probes, primary, network, metrics, nodes));
    const probeLog = log.child({ part: 'metrics' });
    const { readyMaxLag } = config;
    const readiness = { sql, readyMaxLag, ...(tip && { tip }), ...(api && { checks: api.readiness }) };
    metricsDoor.serve(serveMetrics({ metrics, sql: probes, readiness, log: probeLog, ...(api && { api }) }));
    if (api) {
      apiDoor.serve(api.handler);
      stopFirst(clients);
    }

    devnet?.run();
    const addresses: Addresses = {
      metrics: `http://${metricsHost}:${metricsDoor.port}/metrics`,
      ...(apiDoor && { api: `http://${apiHost}:${apiDoor.port}` }),
      ...(observerPort !== undefined && { observer: `${config.observerHost}:${observerPort}` }),
    };
    return { addresses, network, simulated, ...(devnet && { devnet: { url: devnet.url, accounts: devnet.userKeys } }) };
  }

  /** Which chain the database belongs to, as far as that is known; refuses what contradicts it. */
  async function identify(primary: Pool, inquiry: ChainIdInquiry) {
    if (config.role === 'api') {
      const identity = await untilPrepared(primary, log, halted);
      await inquiry.settled(NODES_ANSWER_MS);
      const reported = inquiry.reported(identity.network.chainId);
      const known = decideNetwork({ config, stored: identity.network, reported, empty: false });
      return { identity, known, empty: false };
    }
    await prepareSchema(primary, log);
    const identity = await findIdentity(primary);
    const empty = await isLogEmpty(primary);
    const facts = { config, stored: identity?.network, empty };
    const expected = decideNetwork(facts);
    // A node of another chain is refused before its events are taken; one that does not answer is not waited for.
    if (expected) await inquiry.settled(NODES_ANSWER_MS);
    const reported = inquiry.reported(expected?.chainId);
    const known = expected && decideNetwork({ ...facts, reported });
    if (config.nodes.length > 0 && reported === undefined) {
      log.warn(`no node has answered yet: ${config.nodes.map(node => node.url).join(', ')}`);
    }
    return { identity, known, empty };
  }

  /** A node of another chain that answers only when the service runs is not asked for anything, and its blocks are put aside. */
  function checkLateNode({ name }: NodeSetting, chainId: number): void {
    if (!chain || chainId === chain.chainId) return;
    const [its, ours] = [networkOf(chainId), chain].map(describeNetwork);
    log.error({ node: name }, `${name} is on ${its}, this database holds ${ours}: it is not used`);
  }

  async function searchNetwork(sql: Pool, inquiry: ChainIdInquiry, observerPort: number | undefined): Promise<Network> {
    const observer = `${config.observerHost}:${observerPort}`;
    return await untilNetworkKnown({ config, sql, inquiry, observer, log, halted, onWait: next });
  }

  function startIngest(url: string, network: Network, metrics: Metrics): FoldThread {
    const { name, chainId, addresses } = network;
    const chain = { name, chainId, mainnet: addresses === 'mainnet' };
    const fold = startFoldThread({ url, network: chain }, log.child({ part: 'fold' }), onFailure);
    add('fold', fold, () => fold.stop());
    const auditor = new Auditor(pool('audit', url, { max: 1 }), log.child({ part: 'audit' }), ({ check, reason }) =>
      metrics.auditFindings.inc({ check, explained: String(reason !== undefined) }),
    );
    auditor.start();
    add('audit', auditor, () => auditor.stop());
    // Events are taken no longer than somebody folds them.
    stopFirst('observer');
    return fold;
  }

  /** Chooses where answers are read from. */
  async function openReadServer(primary: string): Promise<ReadServer> {
    const { readUrls: replicas } = config;
    const shown = () => tip?.newest ?? -1;
    const reading = await ReadServer.choose({ replicas, primary, shown, log: log.child({ part: 'database' }) });
    return add('read server', reading, () => reading.stop());
  }

  /** Asks the nodes for blocks that the log misses. */
  function startHealer(url: string, settings: Config['nodes']): void {
    if (settings.length === 0 || !events) return;
    const nodes = settings.map(node => new NodeRpc(node, { connections: 2, timeoutMs: 60_000 }));
    const healer = new Healer({
      sql: pool('healer', url, { max: 1 }),
      events,
      nodes,
      log: log.child({ part: 'healer' }),
    });
    healer.start();
    add('healer', healer, () => healer.stop());
  }

  function openEventLog(url: string, onAppend: NonNullable<EventLogOptions['onAppend']>): EventLog {
    const opened = new EventLog(pool('event log', url, { max: 2, fixedPlans: true }), { onAppend });
    return add('event log', opened, () => opened.close());
  }

  async function startApi(
    door: HttpListener,
    sql: Pool,
    probes: Pool,
    primary: Pool,
    network: Network,
    metrics: Metrics,
    nodes: Config['nodes'],
  ): Promise<Api & { handler: Handler; readiness: ReadinessCheck[] }> {
    const followed = new TipCache({ sql: probes, primary, log: log.child({ part: 'tip' }) });
    tip = followed;
    await followed.start();
    add('tip', followed, () => followed.stop());
    const rates = new RateGate({
      perSecond: config.rateLimit,
      burst: config.rateBurst,
      maxOpen: config.maxOpenPerClient,
      trustedProxies: config.trustedProxies,
      onUntrustedProxy: address =>
        log.warn(
          { address },
          'requests come with X-Forwarded-For from an address that is not in CAIRN_TRUSTED_PROXIES: all clients behind it ' +
            'count as one (on this machine they are not limited at all); name it there if it is a proxy of yours',
        ),
    });
    realtime = startRealtime({
      server: door.server,
      sql,
      tip,
      limits: realtimeLimits(config),
      clientOf: request => rates.clientOf(request),
      refusal: (request, units) => rates.refusal(request, units),
      log: log.child({ part: 'realtime' }),
      metrics,
    });
    const nodeLog = log.child({ part: 'nodes' });
    const proxy = await startNodeProxy({
      config: { ...config, nodes },
      network,
      sql,
      tip,
      metrics,
      log: nodeLog,
      events,
    });
    add('nodes', proxy.pool, () => proxy.pool.stop());
    const { readyMaxLag, bodyLimit, maxInFlight, cacheBytes, piecesBytes, deprecatedEndpoints } = config;
    const readiness = nodeReadiness(proxy.pool, config.readyMaxBehind);
    const onAnswer = answerRecorder(metrics);
    const callReadOnly = nodes.length > 0 ? readOnlyCaller(postToPool(proxy.pool)) : undefined;
    const rosettaLog = log.child({ part: 'rosetta' });
    const nodePool = nodes.length > 0 ? proxy.pool : undefined;
    const chain = rosettaChain({ nodes: proxy, sql, tip });
    const rosetta =
      config.rosetta && rosettaApi({ config, network, sql, pool: nodePool, chain, callReadOnly, log: rosettaLog });
    const faucets = openFaucets({ config, network, nodes: proxy, chain, sql, log: log.child({ part: 'faucet' }) });
    const api = await buildApi({
      sql,
      tip,
      network,
      readyMaxLag,
      readiness,
      bodyLimit,
      maxInFlight,
      atOnce: Math.max(poolSize(config), 8 * SHARED_CONNECTIONS),
      cacheBytes,
      caches: openReadCaches({ itemBytes: piecesBytes }),
      deprecatedEndpoints,
      rates,
      faucets,
      log: log.child({ part: 'api' }),
      onAnswer,
      nodes: proxy.routes,
      poxGeometry: poxGeometryOf(network, proxy.pool),
      shape: config.compat,
      ...(callReadOnly && { callReadOnly }),
      ...(rosetta && { rosetta }),
    });
    const lane = proxy.lane(onAnswer);
    const handler: Handler = (request, response) => {
      // What is refused gets its answer from the framework.
      const refused = rates.admits(request, response)?.allowed === false;
      if (refused || !lane(request, response)) api.app.routing(request, response);
    };
    return { ...api, handler, readiness };
  }

  async function stopParts(): Promise<void> {
    // A part that is just being built would be missed: the start ends at its next step, then all of it is stopped.
    await started?.catch(() => {});
    for (const part of parts.reverse()) {
      await part.stop().catch((error: unknown) => log.error({ err: error }, `stopping ${part.name}`));
    }
  }

  return {
    start() {
      started ??= start();
      return started;
    },
    stop() {
      stopping ??= stopParts();
      return stopping;
    },
  };
}
