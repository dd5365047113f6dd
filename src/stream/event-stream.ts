import { Socket } from 'node:net';
import { type Position, positionText } from '../chain/position.ts';
import type { Backlog, Waiter } from '../http/limits/backlog.ts';
import type { Receiver, StreamEnd } from './receiver.ts';
import type { RenderedMessage } from './rendered-message.ts';
import type { StreamOutput } from './stream-response.ts';

/** Milliseconds that a client has to read the end of its stream. */
const END_GRACE_MS = 5_000;

/** Why a stream was ended without an error; its last lines tell it. */
type OwnEnd = Exclude<StreamEnd, 'failed'>;

const reasons: Record<OwnEnd, string> = {
  slow: 'too slow: too many unsent bytes; connect again with the id of the last event',
  stopping: 'the service is stopping; connect again with the id of the last event',
};

/** What all streams of a process share. */
export type EventStreamOptions = { backlog: Backlog; onEnd: (why: OwnEnd) => void };

const HEARTBEAT = Buffer.from(': heartbeat\n\n');
const heartbeats = new WeakMap<Position, Buffer>();

/** A heartbeat that tells clients how far they are, made once for all of them. */
function heartbeatAt(position: Position): Buffer {
  let known = heartbeats.get(position);
  if (!known) {
    known = Buffer.from(`id: ${positionText(position)}\n${HEARTBEAT}`);
    heartbeats.set(position, known);
  }
  return known;
}

/** The response of one reader as Server-Sent Events (WHATWG HTML, 9.2). */
export class EventStream implements Receiver, Waiter {
  readonly #out: StreamOutput;
  readonly #options: EventStreamOptions;
  /** The position that the client got with the last event. */
  #told: Position | undefined;
  /** Bytes that the client had taken at the last heartbeat, if some were waiting. */
  #taken: number | undefined;

  constructor(out: StreamOutput, options: EventStreamOptions) {
    this.#out = out;
    this.#options = options;
  }

  write(message: RenderedMessage): boolean {
    this.#told = message.position;
    return this.#write(message.event);
  }

  async drained(): Promise<boolean> {
    if (this.#out.writableNeedDrain && !this.#isOver)
      await new Promise<void>(resolve => {
        const end = () => {
          this.#out.off('drain', end).off('close', end);
          this.#options.backlog.set(this, 0);
          resolve();
        };
        this.#out.on('drain', end).on('close', end);
      });
    return !this.#isOver;
  }

  /**
   * Keeps the connection open, and tells the client how far it is if nothing was sent meanwhile. A client that has read nothing since
   * the last call is too slow.
   */
  beat(position: Position): void {
    if (this.#isOver) return;
    if (this.#out.writableNeedDrain) {
      const taken = bytesWritten(this.#out) - this.#out.writableLength;
      if (this.#taken === taken) this.end('slow');
      this.#taken = taken;
      return;
    }
    this.#taken = undefined;
    const fits = this.#write(position === this.#told ? HEARTBEAT : heartbeatAt(position));
    this.#told = position;
    if (!fits) void this.drained();
  }

  /** Ends the stream with the reason and the id of what was sent last; the client has this time to read them. */
  end(why: OwnEnd, graceMs = END_GRACE_MS): void {
    if (this.#isOver) return;
    this.#options.onEnd(why);
    const id = this.#told ? `id: ${positionText(this.#told)}\n` : '';
    this.#finish(`${id}: ${reasons[why]}\n\n`, graceMs);
  }

  /** Ends the stream with an error as its last event: what follows cannot be sent. */
  fail(error: Readonly<Record<string, unknown>>): void {
    if (!this.#isOver) this.#finish(`event: error\ndata: ${JSON.stringify({ type: 'error', ...error })}\n\n`);
  }

  drop(why: 'slow'): void {
    this.#options.onEnd(why);
    this.#out.destroy();
  }

  get #isOver(): boolean {
    return this.#out.destroyed || this.#out.writableEnded;
  }

  /** False if the client has to take some of it before more is written, or has gone. */
  #write(text: Buffer): boolean {
    if (this.#isOver) return false;
    const fits = this.#out.write(text);
    if (!fits) this.#options.backlog.set(this, this.#out.writableLength);
    return fits;
  }

  #finish(text: string, graceMs = END_GRACE_MS): void {
    this.#out.end(text);
    if (this.#out instanceof Socket) this.#out.destroySoon();
    setTimeout(() => this.#out.destroy(), graceMs).unref();
  }
}

const bytesWritten = (out: StreamOutput): number => (out instanceof Socket ? out : out.socket)?.bytesWritten ?? 0;
