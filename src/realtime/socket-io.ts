import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server, type Socket } from 'socket.io';
import type { Log } from '../log.ts';
import type { Backlog, Waiter } from './backlog.ts';
import type { ConnectionCounts } from './connection-counts.ts';
import type { Message } from './message.ts';
import type { Subscriber, Subscriptions } from './subscriptions.ts';
import { parseTopic, topicName } from './topic.ts';
import { type Refusal, tooMany as tooManyRequests, type Upgradable, unitsOf } from './upgrades.ts';

export type SocketIoLimits = {
  maxConnections: number;
  maxSubscriptions: number;
  maxMessage: number;
  /** Maximum unsent bytes for a client. */
  maxBuffered: number;
  pingMs: number;
};

export type SocketIoOptions = {
  subscriptions: Subscriptions;
  limits: SocketIoLimits;
  /** Number of connections of each client, and the identity of a client. */
  counts: ConnectionCounts;
  clientOf: (request: IncomingMessage) => string | undefined;
  refusal: Refusal;
  backlog: Backlog;
  log: Log;
  onEnding?: (why: 'slow') => void;
};

/** Maximum number of topics in one handshake or request. */
const MAX_NAMED = 10_000;

/** The URL prefix of the library. */
const PREFIX = '/socket.io/';

/** Socket.IO with topics as rooms: the hub sees one subscriber, and the library encodes each message once. */
export class SocketIoServer implements Subscriber, Upgradable {
  readonly #options: SocketIoOptions;
  readonly #io: Server;
  /** Does not listen: requests are passed to the library by hand, so that its errors reach the caller. */
  readonly #inner = createServer();
  /** Seconds that the client of a connection is to wait, as of its last message; nothing where it may go on. */
  readonly #refused = new WeakMap<Connection, number>();

  constructor(options: SocketIoOptions) {
    this.#options = options;
    const { limits, counts, clientOf } = options;
    this.#io = new Server({
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
    this.#io.attach(this.#inner);
    this.#io.engine.on('connection', (connection: Connection) => this.#watch(connection));
    const { adapter } = this.#io.of('/');
    // Every client also has a room with its id, which is not a topic.
    adapter.on('create-room', room => this.#change(room, 'add'));
    adapter.on('delete-room', room => this.#change(room, 'remove'));
    this.#io.use((socket, next) => next(this.#admit(socket)));
    this.#io.on('connection', socket => this.#accept(socket));
  }

  get connections(): number {
    return this.#io.engine.clientsCount;
  }

  owns(url: string): boolean {
    return url.startsWith(PREFIX);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#inner.emit('upgrade', request, socket, head);
  }

  respond(request: IncomingMessage, response: ServerResponse): void {
    this.#inner.emit('request', request, response);
  }

  deliver(message: Message): void {
    const room = topicName(message.topic);
    this.#io.to(room).emit(room, ...message.args);
  }

  /** Ends every connection in a way that makes clients reconnect; the HTTP server stays open. */
  async stop(): Promise<void> {
    this.#io.engine.close();
  }

  #change(room: string, change: 'add' | 'remove'): void {
    const topic = parseTopic(room);
    if (topic) this.#options.subscriptions[change](topic, this);
  }

  /** Checks the topics of a new client; an error rejects it. */
  #admit(socket: Socket): Error | undefined {
    const { maxSubscriptions } = this.#options.limits;
    const topics = topicsIn(socket);
    const wrong = topics.filter(topic => !parseTopic(topic));
    if (wrong.length > 0) return new Error(`Invalid topic: ${wrong.join(', ')}`);
    if (topics.length > maxSubscriptions) return new Error(tooMany(maxSubscriptions));
    return undefined;
  }

  #accept(socket: Socket): void {
    const topics = topicsIn(socket);
    if (topics.length > 0) void socket.join(topics);
    socket.on('subscribe', (named: unknown, ack: unknown) => this.#subscribe(socket, named, ack));
    socket.on('unsubscribe', (...named: unknown[]) => {
      if (this.#refused.has(socket.conn)) return;
      for (const topic of named.flat().slice(0, MAX_NAMED)) {
        if (typeof topic === 'string' && parseTopic(topic)) void socket.leave(topic);
      }
    });
  }

  /** A request with a wrong topic has no effect and gets no error, as in the incumbent. */
  #subscribe(socket: Socket, named: unknown, ack: unknown): void {
    const topics = [named].flat();
    if (!topics.every(isTopicName)) return;
    const acknowledge = typeof ack === 'function' ? (error: string | null) => ack(error) : () => {};
    const seconds = this.#refused.get(socket.conn);
    if (seconds !== undefined) {
      acknowledge(tooManyRequests(seconds));
      return;
    }
    const { maxSubscriptions } = this.#options.limits;
    const fresh = new Set(topics.filter(topic => !socket.rooms.has(topic)));
    // One room is the room with its id.
    const fits = socket.rooms.size - 1 + fresh.size <= maxSubscriptions;
    if (fits) void socket.join([...fresh]);
    acknowledge(fits ? null : tooMany(maxSubscriptions));
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
type Connection = Socket['conn'];

/** Messages in a row beyond the rate limit after which a client is closed. */
const MAX_REFUSED = 50;

/** Bytes of a packet in addition to its data. */
const PACKET_BYTES = 64;

const isTopicName = (topic: unknown): topic is string => parseTopic(topic) !== undefined;

const tooMany = (most: number) => `a connection may have ${most} subscriptions`;

/** Topics in the query of the handshake, which a reconnect repeats. */
function topicsIn(socket: Socket): string[] {
  const { subscriptions } = socket.handshake.query;
  const text = Array.isArray(subscriptions) ? subscriptions.join(',') : (subscriptions ?? '');
  return [...new Set(text.split(',').filter(topic => topic !== ''))].slice(0, MAX_NAMED);
}
