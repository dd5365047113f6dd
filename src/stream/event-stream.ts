import type { ServerResponse } from 'node:http';
import type { Backlog, Waiter } from '../http/limits/backlog.ts';
import { type Position, positionText } from './position.ts';
import type { Outlet } from './reader.ts';

/** Milliseconds after which a client connects again. */
const RETRY_MS = 1_000;

/** Why a stream was ended by the service; the last lines of the stream tell it. */
export type StreamEnd = 'slow' | 'stopping' | 'failed';

const reasons: Record<Exclude<StreamEnd, 'failed'>, string> = {
  slow: 'too slow: too many unsent bytes; connect again with the id of the last event',
  stopping: 'the service is stopping; connect again with the id of the last event',
};

/** The response of one reader as Server-Sent Events (WHATWG HTML, 9.2). */
export class EventStream implements Outlet, Waiter {
  readonly #response: ServerResponse;
  readonly #backlog: Backlog;
  readonly #onEnd: (why: StreamEnd) => void;
  /** The position that the client does not have yet as the id of an event. */
  #unsent: Position | undefined;
  #closed = false;

  constructor(response: ServerResponse, backlog: Backlog, onEnd: (why: StreamEnd) => void) {
    this.#response = response;
    this.#backlog = backlog;
    this.#onEnd = onEnd;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no', // reverse proxies keep events back otherwise
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    response.once('close', () => {
      this.#closed = true;
      this.#backlog.set(this, 0);
    });
  }

  async send(message: string, position: Position): Promise<boolean> {
    // The type is the first key of every message.
    const type = /^\{"type":"(\w+)"/.exec(message)![1];
    this.#unsent = undefined;
    return await this.#write(`event: ${type}\nid: ${positionText(position)}\ndata: ${message}\n\n`);
  }

  /** Remembers a position for the next heartbeat. */
  at(position: Position): void {
    this.#unsent = position;
  }

  /** Keeps the connection open, and tells the client how far it is if nothing was sent meanwhile. */
  beat(): void {
    if (this.#closed || this.#response.writableNeedDrain) return;
    const id = this.#unsent ? `id: ${positionText(this.#unsent)}\n` : '';
    this.#unsent = undefined;
    void this.#write(`${id}: heartbeat\n\n`);
  }

  /** Ends the stream with the reason; the client has the id of the last event that it received. */
  end(why: Exclude<StreamEnd, 'failed'>): void {
    if (this.#closed) return;
    this.#onEnd(why);
    this.#response.end(`: ${reasons[why]}\n\n`);
  }

  /** Ends the stream with an error as its last event: what follows cannot be sent. */
  fail(error: Readonly<Record<string, unknown>>): void {
    if (this.#closed) return;
    this.#onEnd('failed');
    this.#response.end(`event: error\ndata: ${JSON.stringify({ type: 'error', ...error })}\n\n`);
  }

  drop(why: 'slow'): void {
    this.#onEnd(why);
    this.#response.destroy();
  }

  /** Resolves when there is room for more; false if the client has gone. */
  async #write(text: string): Promise<boolean> {
    if (this.#closed) return false;
    const fits = this.#response.write(text);
    this.#backlog.set(this, fits ? 0 : this.#response.writableLength);
    if (fits || this.#closed) return !this.#closed;
    return await new Promise(resolve => {
      const end = () => {
        this.#response.off('drain', end);
        this.#response.off('close', end);
        this.#backlog.set(this, 0);
        resolve(!this.#closed);
      };
      this.#response.on('drain', end);
      this.#response.on('close', end);
    });
  }
}
