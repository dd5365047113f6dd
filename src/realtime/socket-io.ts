import type { Socket } from 'socket.io';
import { PublicError } from '../errors.ts';
import type { Receiver } from '../stream/receiver.ts';
import type { RenderedMessage } from '../stream/rendered-message.ts';
import { SocketStream } from '../stream/socket-stream.ts';
import type { Streams } from '../stream/streams.ts';
import type { Message } from './message.ts';
import { SocketIoEngine, type SocketIoEngineOptions } from './socket-io-engine.ts';
import { errorMessage, STREAM } from './stream-frames.ts';
import type { Subscriber, Subscriptions } from './subscriptions.ts';
import { parseTopic, topicName } from './topic.ts';
import { tooMany as tooManyRequests } from './upgrades.ts';

export type SocketIoOptions = Omit<SocketIoEngineOptions, 'prefix'> & {
  subscriptions: Subscriptions;
  streams: Streams;
};

/** Maximum number of topics in one handshake or request. */
const MAX_NAMED = 10_000;

/** Socket.IO with topics as rooms: the hub sees one subscriber, and the library encodes each message once. */
export class SocketIoServer extends SocketIoEngine implements Subscriber {
  readonly #subscriptions: Subscriptions;
  readonly #streams: Streams;
  readonly #maxSubscriptions: number;

  constructor({ subscriptions, streams, ...options }: SocketIoOptions) {
    super({ ...options, prefix: '/socket.io/' });
    this.#subscriptions = subscriptions;
    this.#streams = streams;
    this.#maxSubscriptions = options.limits.maxSubscriptions;
    const { adapter } = this.io.of('/');
    // Every client also has a room with its id, which is not a topic.
    adapter.on('create-room', room => this.#change(room, 'add'));
    adapter.on('delete-room', room => this.#change(room, 'remove'));
    this.io.use((socket, next) => next(this.#admit(socket)));
    this.io.on('connection', socket => this.#accept(socket));
  }

  deliver(message: Message): void {
    const room = topicName(message.topic);
    this.io.to(room).emit(room, ...message.args);
  }

  #change(room: string, change: 'add' | 'remove'): void {
    const topic = parseTopic(room);
    if (topic) this.#subscriptions[change](topic, this);
  }

  /** Checks the topics of a new client; an error rejects it. */
  #admit(socket: Socket): Error | undefined {
    const maxSubscriptions = this.#maxSubscriptions;
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
      if (this.waitOf(socket.conn) !== undefined) return;
      for (const topic of named.flat().slice(0, MAX_NAMED)) {
        if (typeof topic === 'string' && parseTopic(topic)) void socket.leave(topic);
      }
    });
    this.#acceptStream(socket);
  }

  /** The event `stream` begins the stream of a connection; its acknowledgement is null, or the text of what is wrong. */
  #acceptStream(socket: Socket): void {
    let stream: SocketStream | undefined;
    socket.on(STREAM, (params: unknown, ack: unknown) => {
      const acknowledge = typeof ack === 'function' ? (error: string | null) => ack(error) : () => {};
      const seconds = this.waitOf(socket.conn);
      if (seconds !== undefined) return acknowledge(tooManyRequests(seconds));
      stream ??= new SocketStream({
        streams: this.#streams,
        transport: 'socket.io',
        to: streamReceiver(socket),
      });
      try {
        stream.begin(params);
        acknowledge(null);
      } catch (error) {
        if (!(error instanceof PublicError)) throw error;
        acknowledge(error.message);
      }
    });
    socket.on('end-stream', () => stream?.end());
    socket.on('disconnect', () => stream?.end());
  }

  /** A request with a wrong topic has no effect and gets no error, as in the incumbent. */
  #subscribe(socket: Socket, named: unknown, ack: unknown): void {
    const topics = [named].flat();
    if (!topics.every(isTopicName)) return;
    const acknowledge = typeof ack === 'function' ? (error: string | null) => ack(error) : () => {};
    const seconds = this.waitOf(socket.conn);
    if (seconds !== undefined) {
      acknowledge(tooManyRequests(seconds));
      return;
    }
    const maxSubscriptions = this.#maxSubscriptions;
    const fresh = new Set(topics.filter(topic => !socket.rooms.has(topic)));
    // One room is the room with its id.
    const fits = socket.rooms.size - 1 + fresh.size <= maxSubscriptions;
    if (fits) void socket.join([...fresh]);
    acknowledge(fits ? null : tooMany(maxSubscriptions));
  }
}

/** The library says when a message was taken, and not beforehand whether there is room: each one waits for the one before. */
function streamReceiver(socket: Socket): Receiver {
  let taken = Promise.resolve();
  return {
    write(message) {
      if (!socket.connected) return false;
      taken = new Promise<void>(resolve => {
        const end = () => {
          socket.conn.off('drain', end).off('close', end);
          resolve();
        };
        socket.conn.on('drain', end).on('close', end);
      });
      socket.emit(STREAM, parsed(message));
      return false;
    },
    async drained() {
      await taken;
      return socket.connected;
    },
    fail: error => void socket.emit(STREAM, errorMessage(error)),
  };
}

const values = new WeakMap<RenderedMessage, object>();

/** A message as the library takes it, parsed once for all clients. */
function parsed(message: RenderedMessage): object {
  let value = values.get(message);
  if (!value) {
    value = JSON.parse(message.json) as object;
    values.set(message, value);
  }
  return value;
}

const isTopicName = (topic: unknown): topic is string => parseTopic(topic) !== undefined;

const tooMany = (most: number) => `a connection may have ${most} subscriptions`;

/** Topics in the query of the handshake, which a reconnect repeats. */
function topicsIn(socket: Socket): string[] {
  const { subscriptions } = socket.handshake.query;
  const text = Array.isArray(subscriptions) ? subscriptions.join(',') : (subscriptions ?? '');
  return [...new Set(text.split(',').filter(topic => topic !== ''))].slice(0, MAX_NAMED);
}
