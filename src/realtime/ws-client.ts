import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Backlog, Waiter } from '../http/limits/backlog.ts';
import { SocketStream } from '../stream/socket-stream.ts';
import type { Streams } from '../stream/streams.ts';
import { handleText, rpcErrors } from './json-rpc.ts';
import type { Message } from './message.ts';
import { streamError, streamFrame } from './stream-frames.ts';
import type { Subscriber, Subscriptions } from './subscriptions.ts';
import { type Topic, topicName } from './topic.ts';
import { tooMany, unitsOf } from './upgrades.ts';
import { handler, type Session } from './ws-rpc.ts';

export type ClientLimits = {
  /** Maximum subscriptions of one connection. */
  maxSubscriptions: number;
  /** Maximum unsent bytes for a client. */
  maxBuffered: number;
};

/** Reason for which the service ended a connection, a label of the metric. */
export type Ending = 'slow' | 'silent' | 'idle' | 'stopping' | 'failed';

/** Close codes of RFC 6455 and its registry. */
const codes = { slow: 1013, idle: 1000, stopping: 1001 } as const;
const reasons = {
  slow: 'too slow: too many unsent messages',
  idle: 'idle: no subscription and no message',
  stopping: 'the service is stopping: connect again',
} as const;
/** Milliseconds that a client has to read its unsent bytes after a close with a reason. */
const CLOSE_GRACE_MS = 5_000;

/** One WebSocket connection. */
export class WsClient implements Subscriber, Session, Waiter {
  /** True if it has sent something since the last ping. */
  alive = true;
  lastMessageAt = performance.now();
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #deflate: boolean;
  readonly #limits: ClientLimits;
  readonly #subscriptions: Subscriptions;
  readonly #topics = new Map<string, Topic>();
  readonly #backlog: Backlog;
  readonly #refusal: (units: number) => number | undefined;
  readonly #onEnding: (why: Ending) => void;
  readonly #streams: Streams;
  #stream: SocketStream | undefined;
  #closing = false;

  constructor(parts: {
    ws: WebSocket;
    /** The socket below the WebSocket, for prepared frames. */
    socket: Duplex;
    /** True if the client accepts compressed frames. */
    deflate: boolean;
    limits: ClientLimits;
    subscriptions: Subscriptions;
    backlog: Backlog;
    /** Takes units from the rate limit of the client; returns the seconds to wait if none are left. */
    refusal: (units: number) => number | undefined;
    onEnding: (why: Ending) => void;
    streams: Streams;
  }) {
    this.#ws = parts.ws;
    this.#socket = parts.socket;
    this.#deflate = parts.deflate;
    this.#limits = parts.limits;
    this.#subscriptions = parts.subscriptions;
    this.#backlog = parts.backlog;
    this.#refusal = parts.refusal;
    this.#onEnding = parts.onEnding;
    this.#streams = parts.streams;
    this.#socket.on('drain', () => this.#backlog.set(this, 0));
  }

  get subscribed(): number {
    return this.#topics.size + (this.#stream?.isOpen ? 1 : 0);
  }

  openStream(params: unknown): void {
    this.#stream ??= new SocketStream({
      streams: this.#streams,
      transport: 'websocket',
      to: {
        write: message => this.#write(streamFrame(message, this.#deflate)),
        drained: () => this.#drained(),
        fail: error => this.#write(streamError(error)),
      },
    });
    this.#stream.begin(params);
  }

  closeStream(): void {
    this.#stream?.end();
  }

  subscribe(topic: Topic): boolean {
    const name = topicName(topic);
    if (this.#topics.has(name)) return true;
    if (this.#topics.size >= this.#limits.maxSubscriptions) return false;
    this.#topics.set(name, topic);
    this.#subscriptions.add(topic, this);
    return true;
  }

  unsubscribe(topic: Topic): void {
    if (this.#topics.delete(topicName(topic))) this.#subscriptions.remove(topic, this);
  }

  /** Handles a message of the client. */
  receive(data: Buffer): void {
    this.alive = true;
    this.lastMessageAt = performance.now();
    if (this.#closing) return;
    const seconds = this.#refusal(unitsOf(data.length));
    const response =
      seconds === undefined
        ? handleText(data.toString('utf8'), handler(this, this.#limits.maxSubscriptions))
        : JSON.stringify({ jsonrpc: '2.0', id: null, error: rpcErrors.limit(tooMany(seconds)) });
    if (response === undefined) return;
    // Written at once, like prepared frames: compression would change the order of the two.
    this.#ws.send(response, { compress: false, binary: false });
    this.#checkPace();
  }

  deliver(message: Message): void {
    this.#write(message.frame(this.#deflate));
  }

  /** False if the client reads too slowly for more, or has gone. */
  #write(frame: Buffer): boolean {
    if (this.#closing || !this.#socket.writable) return false;
    const fits = this.#socket.write(frame);
    this.#checkPace();
    return fits;
  }

  /** Unlike other messages, those of a stream wait until the client has read. */
  async #drained(): Promise<boolean> {
    if (this.#socket.writable && this.#socket.writableNeedDrain)
      await new Promise<void>(resolve => {
        const end = () => {
          this.#socket.off('drain', end).off('close', end);
          resolve();
        };
        this.#socket.on('drain', end).on('close', end);
      });
    return !this.#closing && this.#socket.writable;
  }

  ping(): void {
    this.alive = false;
    if (!this.#closing) this.#ws.ping();
  }

  /** Closes the connection with a reason, and terminates it if the client does not respond in time. */
  close(why: keyof typeof codes): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#onEnding(why);
    this.unsubscribeAll();
    this.#ws.close(codes[why], reasons[why]);
    setTimeout(() => this.#ws.terminate(), CLOSE_GRACE_MS).unref();
  }

  /** Terminates the connection without a reason. */
  drop(why: 'silent' | 'failed' | 'slow'): void {
    if (!this.#closing) this.#onEnding(why);
    this.#closing = true;
    this.unsubscribeAll();
    this.#ws.terminate();
  }

  /** Removes all subscriptions. */
  unsubscribeAll(): void {
    for (const topic of this.#topics.values()) this.#subscriptions.remove(topic, this);
    this.#topics.clear();
    this.closeStream();
  }

  #checkPace(): void {
    const waiting = this.#socket.writableLength;
    if (waiting > this.#limits.maxBuffered) this.close('slow');
    // Only bytes that the operating system did not accept at once count.
    this.#backlog.set(this, this.#socket.writableNeedDrain ? waiting : 0);
  }
}
