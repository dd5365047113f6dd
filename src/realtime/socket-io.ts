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
  /** Bytes that may wait for a client to take them. */
  maxBuffered: number;
  pingMs: number;
};

export type SocketIoOptions = {
  subscriptions: Subscriptions;
  limits: SocketIoLimits;
  /** Connections of each client, and how a client is known. */
  counts: ConnectionCounts;
  clientOf: (request: IncomingMessage) => string | undefined;
  refusal: Refusal;
  backlog: Backlog;
  log: Log;
  onEnding?: (why: 'slow') => void;
};

/** Topics named in one handshake or request. */
const MAX_NAMED = 10_000;

/** The URLs of the library; it compares their beginning, too. */
const PREFIX = '/socket.io/';

/** Socket.IO with the topics as rooms: to the hub it is one subscriber, and the library prepares each message once. */
export class SocketIoServer implements Subscriber, Upgradable {
  readonly #options: SocketIoOptions;
  readonly #io: Server;
  /** Listens nowhere: it takes what is passed on to the library, so that errors of the library reach its caller. */
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
      // Before there is a connection: one that has not said what it wants yet takes its place, too.
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
    // Every client is also alone in a room by its id, which names no topic.
    adapter.on('create-room', room => this.#change(room, 'add'));
    adapter.on('delete-room', room => this.#change(room, 'remove'));
    this.#io.use((socket, next) => next(this.#admit(socket)));
    this.#io.on('connection', socket => this.#welcome(socket));
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

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.#inner.emit('request', request, response);
  }

  deliver(message: Message): void {
    const room = topicName(message.topic);
    this.#io.to(room).emit(room, ...message.args);
  }

  /** Ends every connection, in the way after which clients connect again; the HTTP server belongs to others. */
  async stop(): Promise<void> {
    this.#io.engine.close();
  }

  #change(room: string, change: 'add' | 'remove'): void {
    const topic = parseTopic(room);
    if (topic) this.#options.subscriptions[change](topic, this);
  }

  /** Looks at what a new client asks for; an error refuses it. */
  #admit(socket: Socket): Error | undefined {
    const { maxSubscriptions } = this.#options.limits;
    const topics = topicsIn(socket);
    const wrong = topics.filter(topic => !parseTopic(topic));
    if (wrong.length > 0) return new Error(`Invalid topic: ${wrong.join(', ')}`);
    if (topics.length > maxSubscriptions) return new Error(tooMany(maxSubscriptions));
    return undefined;
  }

  #welcome(socket: Socket): void {
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

  /** With a wrong topic among them nothing happens and nobody is told, as clients know it. */
  #subscribe(socket: Socket, named: unknown, ack: unknown): void {
    const topics = [named].flat();
    if (!topics.every(isTopicName)) return;
    const answer = typeof ack === 'function' ? (error: string | null) => ack(error) : () => {};
    const seconds = this.#refused.get(socket.conn);
    if (seconds !== undefined) {
      answer(tooManyRequests(seconds));
      return;
    }
    const { maxSubscriptions } = this.#options.limits;
    const fresh = new Set(topics.filter(topic => !socket.rooms.has(topic)));
    // One room is its own.
    const fits = socket.rooms.size - 1 + fresh.size <= maxSubscriptions;
    if (fits) void socket.join([...fresh]);
    answer(fits ? null : tooMany(maxSubscriptions));
  }

  /** Counts a connection and the bytes that wait for it. */
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
        // After a disconnect by the server a client would stay away; this way it connects again and asks for what it
        // missed. Not now: the library is sending.
        setImmediate(() => connection.close(true));
      },
    };
    let refusedInRow = 0;
    // Every message costs, whatever it says. Who goes on without a share is closed: the library would read it all the same.
    connection.on('packet', ({ type, data }: { type: string; data?: string | Buffer }) => {
      if (type !== 'message') return;
      const seconds = refusal(connection.request, unitsOf(data?.length ?? 0));
      refusedInRow = seconds === undefined ? 0 : refusedInRow + 1;
      if (seconds === undefined) this.#refused.delete(connection);
      else this.#refused.set(connection, seconds);
      if (refusedInRow > MOST_REFUSED) setImmediate(() => connection.close(true));
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

/** A connection of Engine.IO below the sockets of Socket.IO. */
type Connection = Socket['conn'];

/** Messages without a share in a row after which a client is closed. */
const MOST_REFUSED = 50;

/** What a packet costs beside its data. */
const PACKET_BYTES = 64;

const isTopicName = (topic: unknown): topic is string => parseTopic(topic) !== undefined;

const tooMany = (most: number) => `a connection may have ${most} subscriptions`;

/** What a client wants from the start: topics of its query, which a reconnect repeats. */
function topicsIn(socket: Socket): string[] {
  const { subscriptions } = socket.handshake.query;
  const text = Array.isArray(subscriptions) ? subscriptions.join(',') : (subscriptions ?? '');
  return [...new Set(text.split(',').filter(topic => topic !== ''))].slice(0, MAX_NAMED);
}
