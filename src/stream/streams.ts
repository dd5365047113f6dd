import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Position, readPosition } from '../chain/position.ts';
import type { Pool } from '../db/client.ts';
import { badRequest, PublicError } from '../errors.ts';
import type { Backlog } from '../http/limits/backlog.ts';
import type { ConnectionCounts } from '../http/limits/connection-counts.ts';
import type { Log } from '../log.ts';
import { Audiences } from './audiences.ts';
import { EventStream, type EventStreamOptions } from './event-stream.ts';
import { Feed } from './feed.ts';
import { Reader, type StepSource, type Transport } from './reader.ts';
import type { Receiver, StreamEnd } from './receiver.ts';
import { beginStream } from './stream-response.ts';
import { Turns } from './turns.ts';
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
  /** How long a position above the tip waits for its block: another process may be ahead of this one. */
  heightWaitMs: number;
  log: Log;
};

/** Where a stream begins: after a position, at a height, or now. */
export type StreamStart = { after?: string | undefined; from_height?: number | undefined };

/** What the streams of this process did. */
export type FeedsReport = {
  /** Open streams by transport. */
  open: Readonly<Record<Transport, number>>;
  /** Messages sent since the start. */
  messages: number;
  /** Last journal number that every open stream at the tip has; null before the first one. */
  position: number | null;
  /** Unsent bytes of all realtime clients. */
  buffered_bytes: number;
  ended: Readonly<Record<StreamEnd, number>>;
};

const HEARTBEAT_MS = 15_000;
const RETRY_SECONDS = 5;

/** All streams of this process. */
export class Streams {
  readonly feed: Feed;
  readonly #options: StreamsOptions;
  readonly #audiences: Audiences;
  readonly #turns = new Turns();
  readonly #open = new Map<EventStream, Reader>();
  readonly #events: EventStreamOptions;
  readonly #counts: Record<Transport, number> = { sse: 0, websocket: 0, 'socket.io': 0 };
  readonly #timer: NodeJS.Timeout;
  readonly #ended: Record<StreamEnd, number> = { slow: 0, stopping: 0, failed: 0 };
  #messages = 0;
  #position: number | null = null;
  #stopped = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.feed = new Feed(options.sql);
    this.#audiences = new Audiences({
      feed: this.feed,
      source: options.source,
      turns: this.#turns,
      log: options.log,
      onMessage: () => this.#messages++,
      onPosition: ({ seq }) => {
        this.#position = Math.max(this.#position ?? 0, seq);
      },
      onEnd: ({ transport, unfollow }, failed) => {
        this.#counts[transport]--;
        unfollow?.();
        if (failed) this.#ended.failed++;
      },
    });
    this.#events = { backlog: options.limits.backlog, onEnd: why => this.#ended[why]++ };
    this.#timer = setInterval(() => this.#turns.add(this.#beats()), HEARTBEAT_MS);
    this.#timer.unref();
  }

  /** Sends a heartbeat to each client that reads, and closes those that have read nothing since the last one. */
  *#beats(): Iterator<void> {
    for (const [stream, reader] of this.#open) {
      stream.beat(reader.position);
      yield;
    }
  }

  get report(): FeedsReport {
    return {
      open: { ...this.#counts },
      messages: this.#messages,
      position: this.#position,
      buffered_bytes: this.#options.limits.backlog.bytes,
      ended: { ...this.#ended },
    };
  }

  /** Refuses a stream beyond the limits. */
  admit(request: IncomingMessage): void {
    const { counts, clientOf } = this.#options.limits;
    this.admitReader();
    if (!counts.admits(clientOf(request)))
      throw new PublicError(
        429,
        `Too many connections from your address: close some, or try again in ${RETRY_SECONDS} seconds`,
      );
  }

  /** Refuses a stream of a connection that is counted already. */
  admitReader(): void {
    if (this.#stopped) throw new PublicError(503, 'The service is stopping; try again in a moment');
    const open = this.#counts.sse + this.#counts.websocket + this.#counts['socket.io'];
    if (open >= this.#options.limits.maxConnections)
      throw new PublicError(503, 'Too many streams are open; try again in a moment');
  }

  /** The position at which a stream begins. */
  async start({ after, from_height: height }: StreamStart): Promise<Position> {
    if (after !== undefined && height !== undefined)
      throw badRequest('Use after or from_height, not both: after continues, from_height begins');
    if (height !== undefined) return await this.feed.before(height);
    if (after === undefined) return await this.feed.tip();
    const position = readPosition(after);
    if (!position) throw badRequest('The position is not one of this API: use one from a message, or leave it out');
    const { source, heightWaitMs } = this.#options;
    if (source.current && source.current.height < position.height)
      await source.reachHeight?.(position.height, heightWaitMs);
    return position;
  }

  /** Sends what follows a position as Server-Sent Events until one of the two sides ends it. */
  open(request: IncomingMessage, response: ServerResponse, start: Position, view: View): void {
    const { counts, clientOf } = this.#options.limits;
    const release = counts.add(clientOf(request));
    const out = beginStream(response);
    const stream = new EventStream(out, this.#events);
    const reader = this.follow('sse', stream, view, start);
    this.#open.set(stream, reader);
    out.on('close', () => {
      this.#open.delete(stream);
      release();
      this.end(reader);
    });
  }

  /** Gives a receiver what follows a position, until `end` is called, the client has gone, or the position is lost. */
  follow(transport: Transport, to: Receiver, view: View, start: Position): Reader {
    const reader = new Reader(transport, to, view, start);
    const { principal } = view.filter;
    if (principal !== undefined) reader.unfollow = this.feed.follow(principal);
    this.#counts[transport]++;
    this.#audiences.join(reader);
    return reader;
  }

  end(reader: Reader): void {
    this.#audiences.end(reader);
  }

  /** Up to `limit` messages after a position, and whether more are there already. */
  async page(start: Position, view: View, limit: number) {
    const messages: string[] = [];
    let position = start;
    for (let calls = 0; calls < limit; calls++) {
      const { steps, position: next, upTo } = await this.feed.after(position, view.needs, this.#options.source.current);
      for (const step of steps) {
        const message = messageOf(step, view);
        if (message !== undefined) messages.push(message.json);
        position = step.position;
        if (messages.length === limit) return { messages, position, atTip: false };
      }
      position = next;
      if (upTo !== undefined) return { messages, position, atTip: true };
    }
    return { messages, position, atTip: false };
  }

  /** Takes no more streams and ends the open ones; clients connect again with the id of their last event. */
  stop(graceMs?: number): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#audiences.stop();
    this.stopOpen(graceMs);
  }

  /** Ends the open streams, as before a restart; their clients have some time to read what is left. */
  stopOpen(graceMs?: number): void {
    for (const [stream, reader] of this.#open) {
      this.end(reader);
      stream.end('stopping', graceMs);
    }
  }
}
