import type { Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'socket.io';
import type { Log } from '../log.ts';
import type { Message } from './message.ts';
import type { Subscriber, Subscriptions } from './subscriptions.ts';
import { parseTopic, topicName } from './topic.ts';

export type SocketIoLimits = {
  maxConnections: number;
  maxSubscriptions: number;
  maxMessage: number;
  /** Messages that may wait for a client to take them. */
  maxQueued: number;
  pingMs: number;
};

export type SocketIoOptions = {
  server: HttpServer;
  subscriptions: Subscriptions;
  limits: SocketIoLimits;
  log: Log;
  onEnding?: (why: 'slow') => void;
};

/** Topics named in one handshake or request. */
const MAX_NAMED = 10_000;

/** Socket.IO with the topics as rooms: to the hub it is one subscriber, and the library prepares each message once. */
export class SocketIoServer implements Subscriber {
  readonly #options: SocketIoOptions;
  readonly #io: Server;

  constructor(options: SocketIoOptions) {
    this.#options = options;
    const { limits, server } = options;
    this.#io = new Server({
      serveClient: false,
      cors: { origin: '*' },
      pingInterval: limits.pingMs,
      pingTimeout: limits.pingMs,
      maxHttpBufferSize: limits.maxMessage,
      // Others upgrade connections on this port too.
      destroyUpgrade: false,
      connectTimeout: 10_000,
      // Before there is a connection: one that has not said what it wants yet takes its place, too.
      allowRequest: (_request, decide) =>
        this.connections < limits.maxConnections
          ? decide(null, true)
          : decide('too many connections: try again later', false),
    });
    this.#io.attach(server);
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

  deliver(message: Message): void {
    const room = topicName(message.topic);
    this.#io.to(room).emit(room, ...message.args);
    for (const id of this.#io.of('/').adapter.rooms.get(room) ?? []) {
      const socket = this.#io.of('/').sockets.get(id);
      if (socket && queued(socket) > this.#options.limits.maxQueued) this.#end(socket);
    }
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
    const { maxSubscriptions } = this.#options.limits;
    const fresh = new Set(topics.filter(topic => !socket.rooms.has(topic)));
    // One room is its own.
    const fits = socket.rooms.size - 1 + fresh.size <= maxSubscriptions;
    if (fits) void socket.join([...fresh]);
    answer(fits ? null : tooMany(maxSubscriptions));
  }

  #end(socket: Socket): void {
    this.#options.log.info({ id: socket.id }, 'a Socket.IO client is too slow and is closed');
    this.#options.onEnding?.('slow');
    // After a disconnect by the server a client would stay away; this way it connects again and asks for what it missed.
    socket.conn.close(true);
  }
}

const isTopicName = (topic: unknown): topic is string => parseTopic(topic) !== undefined;

const tooMany = (most: number) => `a connection may have ${most} subscriptions`;

/** What a client wants from the start: topics of its query, which a reconnect repeats. */
function topicsIn(socket: Socket): string[] {
  const { subscriptions } = socket.handshake.query;
  const text = Array.isArray(subscriptions) ? subscriptions.join(',') : (subscriptions ?? '');
  return [...new Set(text.split(',').filter(topic => topic !== ''))].slice(0, MAX_NAMED);
}

/** Messages that wait for the transport; the types leave the queue out. */
const queued = (socket: Socket): number => (socket.conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length;
