import { serveMetrics } from '../api/metrics-server.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { TipCache } from '../cache/tip-cache.ts';
import type { Config } from '../config/config.ts';
import type { NodeSetting } from '../config/setting.ts';
import { apiReads } from '../db/client.ts';
import type { Simulation } from '../devnet/simulation.ts';
import { UsageError } from '../errors.ts';
import { starting } from '../http/listener.ts';
import type { FoldThread } from '../ingest/fold/fold-thread.ts';
import type { Healer } from '../ingest/heal/healer.ts';
import type { ObserverThread } from '../ingest/observer/observer-thread.ts';
import type { Log } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { describeNetwork, type Network, networkOf } from '../network.ts';
import type { Realtime } from '../realtime/realtime.ts';
import { startApi } from './api.ts';
import { ChainIdInquiry } from './chain-id-inquiry.ts';
import { acceptPooler, type Database, keepDatabase, poolSize, untilReachable } from './database.ts';
import { findDatabaseNetwork, restoreConfigured } from './database-network.ts';
import {
  type DevnetOptions,
  describeDevnet,
  devnetFaucet,
  devnetNode,
  openDevnet,
  type RunningDevnet,
} from './devnet/devnet.ts';
import { loadDevnetSnapshot } from './devnet/snapshot.ts';
import { DiskWatch } from './disk-watch.ts';
import { Following } from './following/following.ts';
import { devnetAllowed, storeIdentity } from './identity.ts';
import { type Appender, openEventLog, startHealer, startIngest } from './ingest.ts';
import { Lifecycle } from './lifecycle.ts';
import { openListeners } from './listeners.ts';
import { startMetadata } from './metadata.ts';
import { untilNetworkKnown } from './network-search.ts';
import { openObservability } from './observability/observability.ts';
import { openObserver } from './observer.ts';
import { ReadServers, ServersBehind } from './reading/read-servers.ts';

/** Time limit of reads of the tip and of metrics; the cache is not used when the tip could not be read for so long. */
const PROBE_MS = 3000;

/** URLs of a running app; parts that the role leaves out are absent. */
export type Addresses = { api?: string; observer?: string; metrics?: string };

/** Facts about an app that has started. */
export type Running = {
  addresses: Addresses;
  network: Network;
  simulated: boolean;
  devnet?: RunningDevnet;
};

export type App = {
  start(): Promise<Running>;
  /** Stops the started parts, the last one first; may be called at any time, also during the start. */
  stop(): Promise<void>;
};

/** What a program that embeds the service gives it. */
export type AppOptions = {
  /** A database that takes the place of the embedded one of the data folder. */
  database?: Database;
  devnet?: DevnetOptions;
};

/** The composition root: builds every long-lived part in this order and stops them in reverse order. */
export function createApp(config: Config, log: Log, onFailure: (error: Error) => void, given: AppOptions = {}): App {
  const parts = new Lifecycle(log);
  const graceMs = config.stopTimeout * 1000;
  let realtime: Realtime | undefined;
  let tip: TipCache | undefined;
  let responses: ResponseCache | undefined;
  let served: Network | undefined;
  let step = 'opening the ports';
  let started: Promise<Running> | undefined;
  let stopping: Promise<void> | undefined;
  const halted = () => stopping !== undefined;

  /** Names the next step of the start, which readiness checks report; throws if a stop was requested. */
  const next = (name: string) => {
    if (halted()) throw new Error('stopped while starting');
    step = name;
  };

  async function start(): Promise<Running> {
    if (config.role === 'api' && config.databaseUrl === undefined) {
      throw new UsageError('CAIRN_ROLE=api reads the database of another process: set DATABASE_URL');
    }
    const metrics = createMetrics();
    const observability = await openObservability(config, log);
    parts.add('observability', observability, () => observability.stop());
    const listeners = await openListeners(
      config,
      starting(() => step),
      log,
    );
    parts.add('metrics', listeners.metrics, () => listeners.metrics.stop(1000));
    const clients = 'client connections';
    // Both at once: the listener stops when its last connection has ended, realtime connections included.
    const stopClients = () => Promise.all([listeners.api?.stop(graceMs / 2), realtime?.stop(graceMs / 4)]);
    if (listeners.api) parts.add(clients, listeners.api, stopClients);
    const inquiry = new ChainIdInquiry(config.nodes, { onResponse: checkLateNode });
    parts.add('chain id inquiry', inquiry, () => inquiry.stop());

    next('starting the database');
    const database = given.database ?? (await keepDatabase(config, log.child({ part: 'database' })));
    parts.add('database', database, () => database.stop());
    let pooled = false;
    const onPooled = () => {
      pooled = true;
    };
    const primary = parts.addPool('main', database.url, { max: 2, readOnly: config.role === 'api', onPooled });
    // Clients read this, too: the host is only in the log.
    next('waiting for the database to accept connections; the log has the reason');
    await untilReachable(primary, log, halted);
    if (pooled) acceptPooler(config, log);
    // Session locks and notifications need the server itself.
    const direct = config.listenUrl ?? database.url;

    let observer: ObserverThread | undefined;
    let fold: FoldThread | undefined;
    let disk: DiskWatch | undefined;
    const suspended = () => disk?.suspended;
    if (database.folder !== undefined) {
      disk = await DiskWatch.open({
        folder: database.folder,
        reserve: config.diskReserve,
        log: log.child({ part: 'disk' }),
        onFree: free => metrics.diskFree.set(free),
        onSuspend: reason => {
          observer?.suspend(reason);
          fold?.suspend(reason !== undefined);
        },
      });
      const watch = disk;
      parts.add('disk watch', watch, async () => watch.stop());
    }

    if (config.snapshot !== undefined && config.role !== 'api') {
      next('restoring the snapshot');
      await restoreConfigured({ config, url: database.url, primary, inquiry, log, halted });
    }

    next('preparing the tables');
    const { identity, network: known, empty } = await findDatabaseNetwork({ config, primary, inquiry, log, halted });

    if (config.role !== 'api') {
      next('opening the observer');
      const opened = await openObserver(config, database.url, metrics, log.child({ part: 'observer' }), onFailure);
      observer = parts.add('observer', opened, () => opened.stop(graceMs / 2));
      observer.suspend(suspended());
    }
    const observerPort = observer?.port;
    const observerAddress = `${config.observerHost}:${observerPort}`;
    const search = { config, sql: primary, inquiry, observer: observerAddress, log, halted, onWait: next };
    const network = known ?? (await untilNetworkKnown(search));
    served = network;
    const simulated =
      config.role === 'api' ? identity?.simulated === true : config.devnet && devnetAllowed(config, identity, empty);
    if (config.role !== 'api') {
      next('starting ingest');
      await storeIdentity(primary, network, simulated);
      if (simulated && config.devnetFrom !== undefined && empty) {
        next('loading the snapshot of the devnet');
        await loadDevnetSnapshot(primary, config, config.devnetFrom);
      } else if (config.devnetFrom !== undefined) {
        log.info('CAIRN_DEVNET_FROM has no effect: the database already holds a chain, or no devnet runs');
      }
      const { signerMetricsCycles: signerCycles } = config;
      fold = startIngest(parts, { url: direct, network, metrics, log, signerCycles, onFailure });
      // The observer stops before the fold: it accepts events only while the fold runs.
      parts.stopFirst('observer');
      fold.suspend(suspended() !== undefined);
      observer?.handTo(fold.openInlet());
    }

    let devnet: Simulation | undefined;
    if (simulated && config.role === 'all' && observerPort !== undefined) {
      next('starting the devnet');
      const mustResume = !empty || config.devnetFrom !== undefined;
      devnet = await openDevnet(config, observerPort, mustResume, log.child({ part: 'devnet' }), given.devnet);
      const { stop } = devnet;
      parts.add('devnet', devnet, stop.bind(devnet));
    }

    const nodes = devnet ? [devnetNode(devnet)] : config.nodes;
    // This process adds two kinds of events: transactions sent by clients, and blocks fetched from nodes.
    let events: Appender | undefined;
    if (nodes.length > 0) {
      events = openEventLog(parts, database.url, appended => fold?.hand(appended), suspended);
    }
    let following: Following | undefined;
    let healer: Healer | undefined;
    if (config.role !== 'api' && events) {
      const tips = () => following?.missingTips() ?? [];
      healer = startHealer(parts, { url: database.url, nodes, events, tips, log });
    }

    if (config.role !== 'api') {
      const metadataLog = log.child({ part: 'metadata' });
      startMetadata(parts, { config, url: database.url, network, nodes, metrics, log: metadataLog });
    }

    next('opening the API');
    const { readUrls: replicas, readMaxLag: maxLagSeconds, readyMaxLag } = config;
    const reading = await ReadServers.open({
      replicas,
      primary: database.url,
      maxLagSeconds,
      log: log.child({ part: 'database' }),
      follow: async seq => {
        if (tip && !(await tip.reach(seq))) throw new ServersBehind('the tip of the chain cannot be read');
      },
      onRegression: () => {
        tip?.forget();
        responses?.clear();
      },
    });
    parts.add('read servers', reading, () => reading.stop());
    const options = { ...apiReads, statementTimeoutMs: config.queryTimeout * 1000 };
    const { onStatement } = observability;
    const sql = reading.pool({ name: 'cairn api', max: poolSize(config), ...options, onStatement });
    const probes = reading.pool({ name: 'cairn probes', max: 2, ...options, statementTimeoutMs: PROBE_MS });
    const { api: listener } = listeners;
    if (listener) {
      const read = <T>(work: () => Promise<T>) => reading.runOnNewest(work);
      const onAnnounce = (seq: number) => reading.announce(seq);
      const announcing =
        direct === database.url ? primary : parts.addPool('announcements', direct, { max: 1, readOnly: true });
      tip = new TipCache({ sql: probes, primary: announcing, read, onAnnounce, log: log.child({ part: 'tip' }) });
      const opened = tip;
      await opened.start();
      parts.add('tip', opened, () => opened.stop());
    }
    const onRealtime = (opened: Realtime) => {
      realtime = opened;
    };
    next('comparing the chain with the nodes');
    const followed = await Following.open({
      ...{ config, nodes, network, sql: probes, suspended, log: log.child({ part: 'nodes' }) },
      fetchFailed: () => healer?.tipFailed === true,
    });
    following = parts.add('nodes', followed, () => followed.stop());
    const base = {
      config,
      primary,
      observability,
      sql,
      reads: reading,
      network,
      metrics,
      nodes,
      following,
      events,
      log,
    };
    const shared = { ...base, devnetFaucet: devnet && devnetFaucet, onRealtime };
    const api = listener && tip && (await startApi(parts, { ...shared, listener, tip }));
    responses = api?.responses;
    const servers = () => reading.reports();
    const readiness = { sql, readyMaxLag, servers, ...(tip && { tip }), checks: followed.checks };
    const metricsLog = log.child({ part: 'metrics' });
    const admin = config.role === 'api' ? undefined : { sql: primary, token: config.adminToken };
    listeners.metrics.serve(
      serveMetrics({
        ...{ metrics, sql: probes, log: metricsLog, admin },
        readiness: { ...readiness, conditions: () => followed.conditions() },
        measureFollowing: measured => followed.measure(measured),
        ...(api && { api }),
      }),
    );
    if (api && listener) {
      listener.serve(api.handler);
      parts.stopFirst(clients);
    }

    devnet?.run();
    const addresses: Addresses = {
      metrics: `http://${config.metricsHost}:${listeners.metrics.port}/metrics`,
      ...(listener && { api: `http://${config.apiHost}:${listener.port}` }),
      ...(observerPort !== undefined && { observer: observerAddress }),
    };
    return { addresses, network, simulated, ...(devnet && { devnet: describeDevnet(devnet) }) };
  }

  /** Logs a node of another network that responds only after the start; it is not used, and its blocks are quarantined. */
  function checkLateNode({ name }: NodeSetting, chainId: number): void {
    if (!served || chainId === served.chainId) return;
    const [its, ours] = [networkOf(chainId), served].map(describeNetwork);
    log.error({ node: name }, `${name} is on ${its}, this database holds ${ours}: it is not used`);
  }

  return {
    start() {
      started ??= start();
      return started;
    },
    stop() {
      // A start in progress ends at its next step; then every part that it has added is stopped.
      stopping ??= Promise.resolve(started)
        .catch(() => {})
        .then(() => parts.stopAll());
      return stopping;
    },
  };
}
