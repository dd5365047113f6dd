import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pool } from '../db/client.ts';
import { PublicError } from '../errors.ts';
import type { Backlog } from '../http/limits/backlog.ts';
import type { ConnectionCounts } from '../http/limits/connection-counts.ts';
import type { Log } from '../log.ts';
import { EventStream, type StreamEnd } from './event-stream.ts';
import { Feed } from './feed.ts';
import type { Position } from './position.ts';
import { follow, type StepSource } from './reader.ts';
import { messageOf, type View } from './view.ts';

export type StreamLimits = {
  /** Maximum streams of all clients. */
  maxConnections: number;
  /** Open connections by client, of streams and of realtime. */
  counts: ConnectionCounts;
  /** Unsent bytes of all clients. */
  backlog: Backlog;
  /** The client that a request counts for; undefined clients are not limited. */
  clientOf: (request: IncomingMessage) => string | undefined;
};

export type StreamsOptions = {
  sql: Pool;
  source: StepSource;
  limits: StreamLimits;
  log: Log;
  heartbeatMs?: number;
};

/** What the streams of this process did. */
export type FeedsReport = {
  open: number;
  /** Messages sent since the start. */
  messages: number;
  ended: Readonly<Record<StreamEnd, number>>;
};

const HEARTBEAT_MS = 15_000;
const RETRY_SECONDS = 5;
/** A read that failed is tried again after this time. */
const TRY_AGAIN_MS = 1_000;

/** Trying again would not help. */
const isOfClient = ({ status }: PublicError) => status < 500;

/** All streams of this process. */
export class Streams {
  readonly feed: Feed;
  readonly #options: StreamsOptions;
  readonly #open = new Map<EventStream, AbortController>();
  readonly #timer: NodeJS.Timeout;
  readonly #ended: Record<StreamEnd, number> = { slow: 0, stopping: 0, failed: 0 };
  #messages = 0;
  #stopped = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.feed = new Feed(options.sql);
    this.#timer = setInterval(() => {
      for (const stream of this.#open.keys()) stream.beat();
    }, options.heartbeatMs ?? HEARTBEAT_MS);
    this.#timer.unref();
  }

  get report(): FeedsReport {
    return { open: this.#open.size, messages: this.#messages, ended: { ...this.#ended } };
  }

  /** Refuses a connection beyond the limits. */
  admit(request: IncomingMessage): void {
    const { maxConnections, counts, clientOf } = this.#options.limits;
    if (this.#stopped) throw new PublicError(503, 'The service is stopping; try again in a moment');
    if (this.#open.size >= maxConnections)
      throw new PublicError(503, 'Too many streams are open; try again in a moment');
    if (!counts.admits(clientOf(request)))
      throw new PublicError(
        429,
        `Too many connections from your address: close some, or try again in ${RETRY_SECONDS} seconds`,
      );
  }

  /** Sends what follows a position as Server-Sent Events until one of the two sides ends it. */
  open(request: IncomingMessage, response: ServerResponse, start: Position, view: View): void {
    const { source, limits, log } = this.#options;
    const stream = new EventStream(response, limits.backlog, why => this.#ended[why]++);
    const controller = new AbortController();
    const release = limits.counts.add(limits.clientOf(request));
    this.#open.set(stream, controller);
    response.once('close', () => {
      this.#open.delete(stream);
      release();
      controller.abort();
    });
    let at = start;
    const outlet = {
      send: async (message: string, position: Position) => {
        this.#messages++;
        at = position;
        return await stream.send(message, position);
      },
    };
    const onPosition = (position: Position) => {
      at = position;
      stream.at(position);
    };
    const run = async () => {
      while (!controller.signal.aborted) {
        try {
          return await follow(at, { feed: this.feed, source, view, outlet, signal: controller.signal, onPosition });
        } catch (error) {
          if (error instanceof PublicError && isOfClient(error)) return stream.fail(error.body);
          log.warn({ err: error }, 'a stream cannot be read; trying again');
          await new Promise(resolve => setTimeout(resolve, TRY_AGAIN_MS).unref());
        }
      }
    };
    void run();
  }

  /** Up to `limit` messages after a position, and whether more are there already. */
  async page(start: Position, view: View, limit: number) {
    const messages: string[] = [];
    let position = start;
    for (let calls = 0; calls < limit; calls++) {
      const {
        steps,
        position: next,
        upTo,
      } = await this.feed.after(position, view.needs, this.#options.source.current?.seq);
      for (const step of steps) {
        const message = messageOf(step, view);
        if (message !== undefined) messages.push(message);
        position = step.position;
        if (messages.length === limit) return { messages, position, atTip: false };
      }
      position = next;
      if (upTo !== undefined) return { messages, position, atTip: true };
    }
    return { messages, position, atTip: false };
  }

  /** Ends all streams; clients connect again with the id of their last event. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    for (const [stream, controller] of this.#open) {
      controller.abort();
      stream.end('stopping');
    }
  }
}
