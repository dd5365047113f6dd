import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server, type Socket } from 'socket.io';
import type { Backlog, Waiter } from '../http/limits/backlog.ts';
import type { ConnectionCounts } from '../http/limits/connection-counts.ts';
import type { Log } from '../log.ts';
import { type Refusal, type Upgradable, unitsOf } from './upgrades.ts';

export type SocketIoLimits = {
  maxConnections: number;
  maxSubscriptions: number;
  maxMessage: number;
  /** Maximum unsent bytes for a client. */
  maxBuffered: number;
  pingMs: number;
};

export type SocketIoEngineOptions = {
  /** URL prefix of the library, with a slash at its end. */
  prefix: string;
  limits: SocketIoLimits;
  /** Number of connections of each client, and the identity of a client. */
  counts: ConnectionCounts;
  clientOf: (request: IncomingMessage) => string | undefined;
  refusal: Refusal;
  backlog: Backlog;
  log: Log;
  onEnding?: (why: 'slow') => void;
};

/** A Socket.IO server below a URL, within the limits of connections, rates and unsent bytes that all clients share. */
export class SocketIoEngine implements Upgradable {
  readonly io: Server;
  readonly owns: (url: string) => boolean;
  readonly #options: SocketIoEngineOptions;
  /** Does not listen: requests are passed to the library by hand, so that its errors reach the caller. */
  readonly #inner = createServer();
  /** Seconds that the client of a connection is to wait, as of its last message; nothing where it may go on. */
  readonly #refused = new WeakMap<Connection, number>();

  constructor(options: SocketIoEngineOptions) {
    this.#options = options;
    this.owns = url => url.startsWith(options.prefix);
    const { limits, counts, clientOf, prefix } = options;
    this.io = new Server({
      path: prefix,
      serveClient: false,
      cors: { origin: '*' },
      pingInterval: limits.pingMs,
      pingTimeout: limits.pingMs,
      maxHttpBufferSize: limits.maxMessage,
      connectTimeout: 10_000,
      // Checked before the handshake: a connection without subscriptions counts too.
      allowRequest: (request, decide) => {
        if (this.connections >= limits.maxConnections) return decide('too many connections: try again later', false);
        if (!counts.admits(clientOf(request))) {
          return decide('too many connections from your address: close some of them', false);
        }
        return decide(null, true);
      },
    });
    this.io.attach(this.#inner);
    this.io.engine.on('connection', (connection: Connection) => this.#watch(connection));
  }

  get connections(): number {
    return this.io.engine.clientsCount;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#inner.emit('upgrade', request, socket, head);
  }

  respond(request: IncomingMessage, response: ServerResponse): void {
    this.#inner.emit('request', request, response);
  }

  /** Seconds that a client beyond its rate is to wait; undefined where it may go on. */
  waitOf(connection: Connection): number | undefined {
    return this.#refused.get(connection);
  }

  /** Ends every connection in a way that makes clients reconnect; the HTTP server stays open. */
  async stop(): Promise<void> {
    this.io.engine.close();
  }

  /** Counts a connection and its unsent bytes. */
  #watch(connection: Connection): void {
    const { counts, clientOf, refusal, backlog, limits, log, onEnding } = this.#options;
    const release = counts.add(clientOf(connection.request));
    let waiting = 0;
    let ended = false;
    const client: Waiter = {
      drop: () => {
        if (ended) return;
        ended = true;
        log.info({ address: connection.remoteAddress }, 'a Socket.IO client is too slow and is closed');
        onEnding?.('slow');
        // After a disconnect by the server a client would not reconnect; after this it does, and reads what it
        // missed. Deferred, because the library is sending.
        setImmediate(() => connection.close(true));
      },
    };
    let refusedInRow = 0;
    // Every message is charged. A client that continues beyond its share is closed: the library would read its messages anyway.
    connection.on('packet', ({ type, data }: { type: string; data?: string | Buffer }) => {
      if (type !== 'message') return;
      const seconds = refusal(connection.request, unitsOf(data?.length ?? 0));
      refusedInRow = seconds === undefined ? 0 : refusedInRow + 1;
      if (seconds === undefined) this.#refused.delete(connection);
      else this.#refused.set(connection, seconds);
      if (refusedInRow > MAX_REFUSED) setImmediate(() => connection.close(true));
    });
    connection.on('packetCreate', ({ data }: { data?: string | Buffer }) => {
      waiting += PACKET_BYTES + (data?.length ?? 0);
      if (waiting > limits.maxBuffered) client.drop('slow');
      else backlog.set(client, waiting);
    });
    connection.on('drain', () => {
      waiting = 0;
      backlog.set(client, 0);
    });
    connection.on('close', () => {
      ended = true;
      backlog.set(client, 0);
      release();
    });
  }
}

/** A connection of Engine.IO, which carries the sockets of Socket.IO. */
export type Connection = Socket['conn'];

/** Messages in a row beyond the rate limit after which a client is closed. */
const MAX_REFUSED = 50;

/** Bytes of a packet in addition to its data. */
const PACKET_BYTES = 64;
