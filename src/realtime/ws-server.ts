import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Backlog } from '../http/limits/backlog.ts';
import type { ConnectionCounts } from '../http/limits/connection-counts.ts';
import type { Log } from '../log.ts';
import type { Streams } from '../stream/streams.ts';
import type { Subscriptions } from './subscriptions.ts';
import { type Refusal, rejectUpgrade, type Upgradable } from './upgrades.ts';
import { type ClientLimits, type Ending, WsClient } from './ws-client.ts';

export type WsLimits = ClientLimits & {
  maxConnections: number;
  /** Largest message of a client in bytes. */
  maxMessage: number;
  pingMs: number;
  /** Milliseconds after which a connection without subscriptions and messages is closed. */
  idleMs: number;
};

export type WsOptions = {
  subscriptions: Subscriptions;
  limits: WsLimits;
  /** Number of connections of each client, and the identity of a client. */
  counts: ConnectionCounts;
  clientOf: (request: IncomingMessage) => string | undefined;
  refusal: Refusal;
  backlog: Backlog;
  streams: Streams;
  log: Log;
  onEnding?: (why: Ending) => void;
};

const PATH = '/extended/v1/ws';
/** `Retry-After` of a rejected connection, in seconds. */
const RETRY_SECONDS = 5;

/** The JSON-RPC WebSocket server: opens, checks and closes connections. */
export class WsServer implements Upgradable {
  readonly #options: WsOptions;
  readonly #clients = new Set<WsClient>();
  readonly #wss: WebSocketServer;
  readonly #sweep: NodeJS.Timeout;
  #stopping = false;

  constructor(options: WsOptions) {
    this.#options = options;
    this.#wss = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: options.limits.maxMessage,
      // No context takeover: a frame is compressed once for all clients, and an idle connection holds no window.
      perMessageDeflate: { serverNoContextTakeover: true, clientNoContextTakeover: true, concurrencyLimit: 4 },
    });
    this.#sweep = setInterval(() => this.#checkClients(), options.limits.pingMs);
    this.#sweep.unref();
  }

  get connections(): number {
    return this.#clients.size;
  }

  /** Rejects new connections and closes the open ones; resolves when all have ended. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#sweep);
    for (const client of this.#clients) client.close('stopping');
    for (const end = performance.now() + graceMs; this.#clients.size > 0 && performance.now() < end; ) {
      await new Promise(resolve => setTimeout(resolve, 10));
    }
    for (const client of this.#clients) client.drop('failed');
  }

  owns(url: string): boolean {
    return url.split('?', 1)[0]!.replace(/\/+$/, '') === PATH;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { counts, clientOf, limits } = this.#options;
    if (this.#stopping) {
      rejectUpgrade(socket, 503, 'the service is stopping: connect again', 1);
    } else if (this.#clients.size >= limits.maxConnections) {
      rejectUpgrade(socket, 503, 'too many connections: try again later', RETRY_SECONDS);
    } else if (!counts.admits(clientOf(request))) {
      rejectUpgrade(socket, 429, 'too many connections from your address: close some of them', RETRY_SECONDS);
    } else {
      this.#wss.handleUpgrade(request, socket, head, ws => this.#accept(ws, request, socket));
    }
  }

  #accept(ws: WebSocket, request: IncomingMessage, socket: Duplex): void {
    const { limits, subscriptions, counts, clientOf, refusal, backlog, streams, onEnding } = this.#options;
    const release = counts.add(clientOf(request));
    const client = new WsClient({
      ws,
      socket,
      // A client with a smaller window could not decompress the shared frames.
      deflate: ws.extensions.includes('permessage-deflate') && !/server_max_window_bits/.test(offer(request)),
      limits,
      subscriptions,
      backlog,
      refusal: units => refusal(request, units),
      onEnding: why => onEnding?.(why),
      streams,
    });
    this.#clients.add(client);
    ws.on('message', (data: RawData) => client.receive(bytesOf(data)));
    ws.on('pong', () => {
      client.alive = true;
    });
    // The library reports an invalid frame to the client, with the code of the specification.
    ws.on('error', error => this.#options.log.debug({ err: error }, 'a WebSocket connection failed'));
    ws.on('close', () => {
      client.unsubscribeAll();
      backlog.set(client, 0);
      release();
      this.#clients.delete(client);
    });
  }

  /** Ends dead and idle connections, and pings the others. */
  #checkClients(): void {
    const idleSince = performance.now() - this.#options.limits.idleMs;
    for (const client of this.#clients) {
      if (!client.alive) client.drop('silent');
      else if (client.subscribed === 0 && client.lastMessageAt < idleSince) client.close('idle');
      else client.ping();
    }
  }
}

const offer = (request: IncomingMessage) => request.headers['sec-websocket-extensions'] ?? '';

const bytesOf = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
