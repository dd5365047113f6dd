import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Backlog, Waiter } from './backlog.ts';
import { answerText, rpcErrors } from './json-rpc.ts';
import type { Message } from './message.ts';
import type { Subscriber, Subscriptions } from './subscriptions.ts';
import { type Topic, topicName } from './topic.ts';
import { tooMany, unitsOf } from './upgrades.ts';
import { handler, type Session } from './ws-rpc.ts';

export type ClientLimits = {
  /** Subscriptions of one connection. */
  maxSubscriptions: number;
  /** Bytes that may wait for a client to take them. */
  maxBuffered: number;
};

/** Why the service ended a connection, as metrics count it. */
export type Ending = 'slow' | 'silent' | 'idle' | 'stopping' | 'failed';

/** Close codes of RFC 6455 and the registry it made. */
const codes = { slow: 1013, idle: 1000, stopping: 1001 } as const;
const reasons = {
  slow: 'too slow: more messages wait for you than may be kept',
  idle: 'idle: nothing subscribed to and nothing said',
  stopping: 'the service is stopping: connect again',
} as const;
/** A client that was told why it is closed gets so long to take what waits for it. */
const CLOSE_GRACE_MS = 5_000;

/** One WebSocket connection. */
export class WsClient implements Subscriber, Session, Waiter {
  /** It has said something since it was last asked. */
  alive = true;
  heardAt = performance.now();
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #deflate: boolean;
  readonly #limits: ClientLimits;
  readonly #subscriptions: Subscriptions;
  readonly #topics = new Map<string, Topic>();
  readonly #backlog: Backlog;
  readonly #refusal: (units: number) => number | undefined;
  readonly #onEnding: (why: Ending) => void;
  #closing = false;

  constructor(parts: {
    ws: WebSocket;
    /** Below the WebSocket: prepared frames go straight to it. */
    socket: Duplex;
    /** The client takes compressed frames. */
    deflate: boolean;
    limits: ClientLimits;
    subscriptions: Subscriptions;
    backlog: Backlog;
    /** Takes units from the share of the client; seconds to wait when it has none left. */
    refusal: (units: number) => number | undefined;
    onEnding: (why: Ending) => void;
  }) {
    this.#ws = parts.ws;
    this.#socket = parts.socket;
    this.#deflate = parts.deflate;
    this.#limits = parts.limits;
    this.#subscriptions = parts.subscriptions;
    this.#backlog = parts.backlog;
    this.#refusal = parts.refusal;
    this.#onEnding = parts.onEnding;
    this.#socket.on('drain', () => this.#backlog.set(this, 0));
  }

  get subscribed(): number {
    return this.#topics.size;
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

  /** Answers what a client said. */
  hear(data: Buffer): void {
    this.alive = true;
    this.heardAt = performance.now();
    if (this.#closing) return;
    const seconds = this.#refusal(unitsOf(data.length));
    const answer =
      seconds === undefined
        ? answerText(data.toString('utf8'), handler(this, this.#limits.maxSubscriptions))
        : JSON.stringify({ jsonrpc: '2.0', id: null, error: rpcErrors.limit(tooMany(seconds)) });
    if (answer === undefined) return;
    // Written at once, as are prepared frames: compressing answers would let the two overtake one another.
    this.#ws.send(answer, { compress: false, binary: false });
    this.#checkPace();
  }

  deliver(message: Message): void {
    if (this.#closing || !this.#socket.writable) return;
    this.#socket.write(message.frame(this.#deflate));
    this.#checkPace();
  }

  ping(): void {
    this.alive = false;
    if (!this.#closing) this.#ws.ping();
  }

  /** Tells the client why, and ends the connection when it has taken that or will not. */
  close(why: keyof typeof codes): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#onEnding(why);
    this.forget();
    this.#ws.close(codes[why], reasons[why]);
    setTimeout(() => this.#ws.terminate(), CLOSE_GRACE_MS).unref();
  }

  /** Ends the connection at once: nobody is there to be told. */
  drop(why: 'silent' | 'failed' | 'slow'): void {
    if (!this.#closing) this.#onEnding(why);
    this.#closing = true;
    this.forget();
    this.#ws.terminate();
  }

  /** Gives up everything it has subscribed to. */
  forget(): void {
    for (const topic of this.#topics.values()) this.#subscriptions.remove(topic, this);
    this.#topics.clear();
  }

  #checkPace(): void {
    const waiting = this.#socket.writableLength;
    if (waiting > this.#limits.maxBuffered) this.close('slow');
    // What the system has not taken at once; less than that is on its way.
    this.#backlog.set(this, this.#socket.writableNeedDrain ? waiting : 0);
  }
}
