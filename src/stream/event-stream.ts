import type { ServerResponse } from 'node:http';
import { type Position, positionText } from '../chain/position.ts';
import type { Backlog, Waiter } from '../http/limits/backlog.ts';

import type { Receiver, StreamEnd } from './receiver.ts';
import type { RenderedMessage } from './rendered-message.ts';

/** Milliseconds after which a client connects again. */
const RETRY_MS = 1_000;
/** Milliseconds that a slow client has to read the end of its stream. */
const END_GRACE_MS = 5_000;

/** Why a stream was ended without an error; its last lines tell it. */
type OwnEnd = Exclude<StreamEnd, 'failed'>;

const reasons: Record<OwnEnd, string> = {
  slow: 'too slow: too many unsent bytes; connect again with the id of the last event',
  stopping: 'the service is stopping; connect again with the id of the last event',
};

/** The response of one reader as Server-Sent Events (WHATWG HTML, 9.2). */
export class EventStream implements Receiver, Waiter {
  readonly #response: ServerResponse;
  readonly #backlog: Backlog;
  readonly #onEnd: (why: OwnEnd) => void;
  /** The position that the client does not have yet as the id of an event. */
  #unsent: Position | undefined;
  /** The position of the last message. */
  #sent: Position | undefined;
  /** Bytes that the client had taken at the last heartbeat, if some were waiting. */
  #taken: number | undefined;
  #closed = false;

  constructor(response: ServerResponse, backlog: Backlog, onEnd: (why: OwnEnd) => void) {
    this.#response = response;
    this.#backlog = backlog;
    this.#onEnd = onEnd;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close', // nothing follows a stream, and its end is seen by everybody on the way
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

  async send(message: RenderedMessage): Promise<boolean> {
    this.#unsent = undefined;
    this.#sent = message.position;
    return await this.#write(message.event);
  }

  /** Remembers a position for the next heartbeat. */
  at(position: Position): void {
    this.#unsent = position;
  }

  /**
   * Keeps the connection open, and tells the client how far it is if nothing was sent meanwhile. A client that has read nothing since
   * the last call is too slow.
   */
  beat(): void {
    if (this.#closed || this.#response.writableEnded) return;
    if (this.#response.writableNeedDrain) {
      const waiting = this.#response.writableLength;
      const taken = (this.#response.socket?.bytesWritten ?? 0) - waiting;
      if (this.#taken === taken) this.end('slow');
      this.#taken = taken;
      return;
    }
    this.#taken = undefined;
    const id = this.#unsent ? `id: ${positionText(this.#unsent)}\n` : '';
    this.#unsent = undefined;
    void this.#write(`${id}: heartbeat\n\n`);
  }

  /** Ends the stream with the reason; the client has the id of the last event that it received. */
  end(why: OwnEnd): void {
    if (this.#closed || this.#response.writableEnded) return;
    this.#onEnd(why);
    const id = this.#sent ? `id: ${positionText(this.#sent)}\n` : '';
    this.#response.end(`${id}: ${reasons[why]}\n\n`);
    if (why === 'slow') setTimeout(() => this.#response.destroy(), END_GRACE_MS).unref();
  }

  /** Ends the stream with an error as its last event: what follows cannot be sent. */
  fail(error: Readonly<Record<string, unknown>>): void {
    if (this.#closed || this.#response.writableEnded) return;
    this.#response.end(`event: error\ndata: ${JSON.stringify({ type: 'error', ...error })}\n\n`);
  }

  drop(why: 'slow'): void {
    this.#onEnd(why);
    this.#response.destroy();
  }

  /** Resolves when there is room for more; false if the client has gone. */
  async #write(text: string | Buffer): Promise<boolean> {
    if (this.#closed || this.#response.writableEnded) return false;
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
