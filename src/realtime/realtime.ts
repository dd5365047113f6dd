import type { IncomingMessage, Server } from 'node:http';
import type { Config } from '../config/config.ts';
import type { Pool } from '../db/client.ts';
import { Backlog } from '../http/limits/backlog.ts';
import { ConnectionCounts } from '../http/limits/connection-counts.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { InterfaceCache } from '../read/contracts/interface-cache.ts';
import { Streams } from '../stream/streams.ts';
import { Hub, type StepSource } from './hub.ts';
import { SignerMetricsSocket } from './signer-metrics-socket.ts';
import { SocketIoServer } from './socket-io.ts';
import { type StreamMetric, streamMeter } from './stream-meter.ts';
import { Subscriptions } from './subscriptions.ts';
import { type Denies, ownUpgrades, type Refusal, rejectUpgrade, type Upgradable } from './upgrades.ts';
import { type WsLimits, WsServer } from './ws-server.ts';

export type RealtimeLimits = WsLimits & {
  /** Maximum connections of one client, both kinds together. */
  maxPerAddress: number;
  /** Maximum unsent bytes for all clients together. */
  maxBufferedTotal: number;
};

export type RealtimeOptions = {
  /** The server whose connections are upgraded. */
  server: Server;
  /** Read pool. Only data visible here is announced. */
  sql: Pool;
  tip: StepSource;
  limits: RealtimeLimits;
  /** How long a position above the tip waits for its block. */
  heightWaitMs: number;
  /** False leaves out the socket of signer metrics, because another service serves it. */
  signerMetrics?: boolean;
  /** The client that a request counts for; undefined clients are not limited. */
  clientOf?: (request: IncomingMessage) => string | undefined;
  /** Takes units from the rate limit of a client; returns the seconds to wait if none are left. */
  refusal?: Refusal;
  /** Rejects connections by their API key; without it keys are ignored. */
  denial?: Denies;
  /** Sockets of services that are forwarded. */
  forwards?: readonly (Upgradable & { stop(): void })[];
  log: Log;
  metrics: Pick<
    Metrics,
    | 'realtimeConnections'
    | 'realtimeTopics'
    | 'realtimeMessages'
    | 'realtimeEnded'
    | 'realtimePosition'
    | 'realtimeBuffered'
    | StreamMetric
  >;
};

export type Realtime = {
  /** The streams of all transports, within the limits of realtime connections. */
  readonly streams: Streams;
  stop(graceMs: number): Promise<void>;
};

const GAUGES_MS = 1_000;
const TOO_MANY_SOCKETS = 'too many connections from your address: close some of them';
const RETRY_SECONDS = 5;

/** Starts one hub for both kinds of connections. */
export function startRealtime(options: RealtimeOptions): Realtime {
  const { server, sql, tip, limits, log, metrics, forwards = [] } = options;
  const { clientOf = () => undefined, refusal = () => undefined } = options;
  const subscriptions = new Subscriptions();
  const onEnding = (reason: string) => metrics.realtimeEnded.inc({ reason });
  const counts = new ConnectionCounts(limits.maxPerAddress);
  const backlog = new Backlog(limits.maxBufferedTotal);
  const streams = new Streams({
    sql,
    source: tip,
    limits: { maxConnections: limits.maxConnections, counts, backlog, clientOf },
    heightWaitMs: options.heightWaitMs,
    log,
  });
  const shared = { streams, subscriptions, limits, counts, clientOf, refusal, backlog, log, onEnding };
  const ws = new WsServer(shared);
  const io = new SocketIoServer(shared);
  const counted = (forward: Upgradable): Upgradable => ({
    owns: url => forward.owns(url),
    upgrade(request, socket, head) {
      const client = clientOf(request);
      if (!counts.admits(client)) return rejectUpgrade(socket, 429, TOO_MANY_SOCKETS, RETRY_SECONDS);
      socket.once('close', counts.add(client));
      forward.upgrade(request, socket, head);
    },
  });
  const signers = options.signerMetrics === false ? undefined : new SignerMetricsSocket({ ...shared, sql, tip });
  const onFailure = (error: unknown) =>
    log.error({ err: error }, 'a realtime request failed; its connection is closed');
  const disown = ownUpgrades({
    server,
    protocols: [...forwards.map(counted), ...(signers ? [signers] : []), ws, io],
    refusal,
    denial: options.denial,
    onFailure,
  });
  const onStep = (seq: number, sent: number) => {
    metrics.realtimePosition.set(seq);
    metrics.realtimeMessages.inc(sent);
  };
  const hub = new Hub({ sql, tip, subscriptions, interfaces: new InterfaceCache(), log, onStep });
  hub.start();
  const measureStreams = streamMeter(streams, tip, metrics);
  const gauges = setInterval(() => {
    metrics.realtimeConnections.set({ transport: 'websocket' }, ws.connections);
    metrics.realtimeConnections.set({ transport: 'socket.io' }, io.connections + (signers?.connections ?? 0));
    metrics.realtimeTopics.set(subscriptions.count);
    metrics.realtimeBuffered.set(backlog.bytes);
    measureStreams();
  }, GAUGES_MS);
  gauges.unref();
  return {
    streams,
    async stop(graceMs) {
      clearInterval(gauges);
      streams.stop(graceMs);
      disown();
      for (const forward of forwards) forward.stop();
      await Promise.all([hub.stop(), ws.stop(graceMs), io.stop(), signers?.stop()]);
    },
  };
}

/** The limits from the settings. */
export const realtimeLimits = (config: Config): RealtimeLimits => ({
  maxConnections: config.wsMaxConnections,
  maxSubscriptions: config.wsMaxSubscriptions,
  maxMessage: config.wsMaxMessage,
  maxBuffered: config.wsMaxBuffered,
  maxBufferedTotal: config.wsMaxBufferedTotal,
  maxPerAddress: config.wsMaxPerAddress,
  pingMs: config.wsPingInterval * 1000,
  idleMs: config.wsIdleTimeout * 1000,
});
