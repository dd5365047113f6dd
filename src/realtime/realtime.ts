import type { Server } from 'node:http';
import type { Config } from '../config.ts';
import type { Pool } from '../db/client.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { Hub, type StepSource } from './hub.ts';
import { SocketIoServer } from './socket-io.ts';
import { Subscriptions } from './subscriptions.ts';
import { type WsLimits, WsServer } from './ws-server.ts';

export type RealtimeOptions = {
  /** The server whose connections are upgraded. */
  server: Server;
  /** Answers questions; what it has not, is not told. */
  sql: Pool;
  tip: StepSource;
  limits: WsLimits;
  log: Log;
  metrics: Pick<
    Metrics,
    'realtimeConnections' | 'realtimeTopics' | 'realtimeMessages' | 'realtimeEnded' | 'realtimeStep'
  >;
};

export type Realtime = { stop(graceMs: number): Promise<void> };

/** Messages that a Socket.IO client may leave waiting. */
const MAX_QUEUED = 1_000;
const GAUGES_MS = 1_000;

/** One hub behind both kinds of connections. */
export function startRealtime({ server, sql, tip, limits, log, metrics }: RealtimeOptions): Realtime {
  const subscriptions = new Subscriptions();
  const onEnding = (reason: string) => metrics.realtimeEnded.inc({ reason });
  const ws = new WsServer({ server, subscriptions, limits, log, onEnding });
  const io = new SocketIoServer({ server, subscriptions, limits: { ...limits, maxQueued: MAX_QUEUED }, log, onEnding });
  const onStep = (seq: number, sent: number) => {
    metrics.realtimeStep.set(seq);
    metrics.realtimeMessages.inc(sent);
  };
  const hub = new Hub({ sql, tip, subscriptions, log, onStep });
  hub.start();
  const gauges = setInterval(() => {
    metrics.realtimeConnections.set({ transport: 'websocket' }, ws.connections);
    metrics.realtimeConnections.set({ transport: 'socket.io' }, io.connections);
    metrics.realtimeTopics.set(subscriptions.count);
  }, GAUGES_MS);
  gauges.unref();
  return {
    async stop(graceMs) {
      clearInterval(gauges);
      await Promise.all([hub.stop(), ws.stop(graceMs), io.stop()]);
    },
  };
}

/** The limits that the settings give. */
export const realtimeLimits = (config: Config): WsLimits => ({
  maxConnections: config.wsMaxConnections,
  maxSubscriptions: config.wsMaxSubscriptions,
  maxMessage: config.wsMaxMessage,
  maxBuffered: config.wsMaxBuffered,
  pingMs: config.wsPingInterval * 1000,
  idleMs: config.wsIdleTimeout * 1000,
});
