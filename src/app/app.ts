import type { Network } from '@cairn-stacks/codec/network';
import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { startApi } from './api.ts';
import { startBitcoin } from './bitcoin.ts';
import { ChainIdInquiry } from './chain-id-inquiry.ts';
import { type Database, startDatabase } from './database.ts';
import { findStoredNetwork } from './database-network.ts';
import { type DevnetOptions, describeDevnet, devnetNode, type RunningDevnet, startDevnet } from './devnet/devnet.ts';
import { openFollowing } from './following/following.ts';
import { startHeaders } from './headers.ts';
import { startHealer } from './healer.ts';
import { startIngest } from './ingest.ts';
import { Lifecycle } from './lifecycle.ts';
import { startMetadata } from './metadata.ts';
import { metricsHandler } from './metrics-port.ts';
import { openObservability } from './observability/observability.ts';
import { startOwnEvents } from './own-events.ts';
import { openPorts } from './ports.ts';
import { startPublisher } from './publisher.ts';
import { startReads } from './reads.ts';
import { Progress, type Start } from './start.ts';
import { startWebhooks } from './webhooks.ts';

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

/** Starts the parts that the role of this process needs, in this order. */
async function startParts(start: Start, parts: Lifecycle, given: AppOptions): Promise<Running> {
  const { config, log, progress } = start;
  const { role } = config;
  if (role === 'api' && config.databaseUrl === undefined) {
    throw new UsageError('CAIRN_ROLE=api reads the database of another process: set DATABASE_URL');
  }
  const observability = parts.add('observability', await openObservability(config, log));
  const ports = parts.add('ports', await openPorts(start));
  const inquiry = parts.add('chain id inquiry', new ChainIdInquiry(config.nodes, log));
  const database = parts.add('database', await startDatabase(start, given.database));
  const ingest = role === 'api' ? undefined : parts.add('ingest', await startIngest(start, database, inquiry));
  const { network, simulated } = ingest ?? (await findStoredNetwork(start, database, inquiry));
  const devnet = ingest?.simulated ? parts.add('devnet', await startDevnet(start, ingest, given.devnet)) : undefined;
  const nodes = devnet ? [devnetNode(devnet)] : config.nodes;
  const events = nodes.length > 0 ? parts.add('own events', await startOwnEvents(start, database, ingest)) : undefined;
  if (ingest) parts.add('metadata', await startMetadata(start, { database, network, nodes }));
  if (ingest) parts.add('headers', await startHeaders(start, { database, nodes }));
  if (ingest) parts.add('Bitcoin', await startBitcoin(start, database));

  progress.next('opening the API');
  const reads = parts.add('reads', await startReads(start, database, observability));
  const webhooks = ingest && parts.add('webhooks', await startWebhooks(start, { database, reads, network }));
  if (ingest) parts.add('publisher', await startPublisher(start, { database, reads }));
  progress.next('comparing the chain with the nodes');
  const following = parts.add('nodes', await openFollowing(start, { database, reads, network, nodes }));
  if (ingest && events) parts.add('healer', await startHealer(start, { database, nodes, events, following }));
  const served = { observability, database, reads, network, nodes, following, events, devnet, webhooks };
  const { api: listener, metrics } = ports;
  const { tip } = reads;
  const api = listener && tip && parts.add('API', await startApi(start, { ...served, listener, tip }));
  metrics.serve(metricsHandler(start, { reads, following, api, webhooks }));
  if (api) listener.serve(api.handler);

  devnet?.run();
  const addresses: Addresses = {
    metrics: `http://${config.metricsHost}:${metrics.port}/metrics`,
    ...(listener && { api: `http://${config.apiHost}:${listener.port}` }),
    ...(ingest && { observer: ingest.observer.address }),
  };
  return { addresses, network, simulated, ...(devnet && { devnet: describeDevnet(devnet) }) };
}

/** The composition root: starts every long-lived part, and stops them in reverse order. */
export function createApp(config: Config, log: Log, onFailure: (error: Error) => void, given: AppOptions = {}): App {
  const parts = new Lifecycle(log);
  const progress = new Progress();
  let started: Promise<Running> | undefined;
  let stopping: Promise<void> | undefined;
  return {
    start() {
      started ??= startParts({ config, log, metrics: createMetrics(), progress, onFailure }, parts, given);
      return started;
    },
    stop() {
      // A start in progress ends at its next step; then every part that it has added is stopped.
      progress.halt();
      stopping ??= Promise.resolve(started)
        .catch(() => {})
        .then(() => parts.stop());
      return stopping;
    },
  };
}
