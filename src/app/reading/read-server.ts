import { findServedState, type ServedState } from '../../cache/tip-queries.ts';
import { type ConnectOptions, connect, type Pool } from '../../db/client.ts';
import type { ServerCondition } from '../../db/reads.ts';
import { Pause } from '../../pause.ts';

/** How far a server is, and whether that is less than what it was known to have before this was read. */
export type StateReading = ServedState & { lostSteps: boolean };

/** One server that API reads may use, and what is known about it. */
export class ReadServer {
  /** Host, port and database; never the password. */
  readonly name: string;
  readonly url: string;
  readonly isPrimary: boolean;
  condition: ServerCondition = 'unknown';
  /** Why it is not usable. */
  reason: string | undefined;
  /** Seconds since the primary has announced a step that this server does not have; 0 if it has all. */
  lagSeconds = 0;
  /** Requests that are bound to it. */
  inFlight = 0;
  /** Mean time of a request in milliseconds; recent ones count more. */
  meanMs = 0;
  /** Between two checks. */
  readonly pause = new Pause();
  /** When its identity was last compared with the primary. */
  comparedAt = Number.NEGATIVE_INFINITY;
  readonly #pools = new Map<ConnectOptions, Pool>();
  /** The newest state that was read from it. */
  #read: ServedState = { seq: -1, height: -1 };
  /** The last step that it has announced. */
  #announced = -1;
  #check: Promise<StateReading> | undefined;
  #ping: Promise<boolean> | undefined;

  constructor(url: string, isPrimary: boolean) {
    this.url = url;
    this.isPrimary = isPrimary;
    this.name = nameOf(url);
  }

  /** The pool with these options; the same object gives the same pool. */
  pool(options: ConnectOptions): Pool {
    const known = this.#pools.get(options);
    if (known) return known;
    const pool = connect(this.url, options);
    this.#pools.set(options, pool);
    return pool;
  }

  /** The last journal step that it is known to have. */
  get seq(): number {
    return Math.max(this.#read.seq, this.#announced);
  }

  /** The height of its tip. */
  get height(): number {
    return this.#read.height;
  }

  /** It has committed this step. */
  announce(seq: number): void {
    this.#announced = Math.max(this.#announced, seq);
  }

  /** A statement has named the state that it read. */
  note(state: ServedState): void {
    if (state.seq > this.#read.seq) this.#read = state;
  }

  /** Reads how far the server is. Calls of one turn of the event loop share one statement, which is sent after all of them. */
  sharedState(sql: Pool): Promise<StateReading> {
    this.#check ??= Promise.resolve().then(() => {
      this.#check = undefined;
      return this.state(sql);
    });
    return this.#check;
  }

  /**
   * Reads how far the server is. Readings on several connections may end in another order than they began: the newest state
   * counts, unless this reading began after the newest was known.
   */
  async state(sql: Pool): Promise<StateReading> {
    const before = this.seq;
    const read = await findServedState(sql);
    const lostSteps = read.seq < before;
    if (lostSteps) this.#announced = read.seq;
    if (lostSteps || read.seq >= this.#read.seq) this.#read = read;
    return { ...this.#read, lostSteps };
  }

  /** Whether the server responds to anything in time; calls meanwhile share one statement. */
  responds(sql: Pool, withinMs: number): Promise<boolean> {
    this.#ping ??= sql.within(withinMs)`select 1`
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#ping = undefined;
      });
    return this.#ping;
  }

  /** Adds the time of a request to the mean. */
  measure(ms: number): void {
    this.meanMs += (ms - this.meanMs) * 0.1;
  }

  async end(): Promise<void> {
    this.pause.end();
    await Promise.all([...this.#pools.values()].map(pool => pool.end({ timeout: 5 })));
  }
}

/** The part of a database URL that may be shown: hosts, ports and database. */
function nameOf(url: string): string {
  const [, hosts = '', database = ''] = /^\w+:\/\/(?:[^/?#]*@)?([^/?#]*)([^?#]*)/.exec(url) ?? [];
  const [, folder] = /[?&]host=([^&#]*)/.exec(url) ?? [];
  return decodeURIComponent(`${hosts === '' ? (folder ?? 'localhost') : hosts}${database}`);
}
