import { setImmediate } from 'node:timers/promises';
import { Writer } from '../../db/writer.ts';
import type { Pause } from '../../pause.ts';

/** Session lock that only one fold of a database holds; others wait for it as hot standbys. */
const leaseLock = 0x6361_6972;
/** Session lock of the connection that writes, by which the next writer finds it. */
const writerLock = leaseLock + 1;

/** The server releases the lock if it gets no message for this time, because of the holder or of the network. */
const silenceMs = 2_000;
/** A holder that gets no response for so long has lost the lock or is about to. */
const responseMs = 1_500;
const beatMs = 400;

export type LeaseOptions = {
  url: string;
  /** Schema whose tables are folded, where it is not the one in use. */
  schema?: string | undefined;
  /** How long to wait between two tries for the lock. */
  retryMs: number;
  /** Called once when the lock is lost. */
  onLost: (error: Error) => void;
};

/**
 * The right to fold: an advisory lock on a connection that the server ends when its holder falls silent. A connection to
 * a host or network that is gone looks idle to the server, so waiting for TCP would take hours. The lock only decides which
 * process writes; the fence guarantees that no other one can commit.
 */
export class FoldLease {
  readonly #connection: Writer;
  readonly #options: LeaseOptions;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  private constructor(connection: Writer, options: LeaseOptions) {
    this.#connection = connection;
    this.#options = options;
    connection.onLost(error => this.#lose(error));
  }

  static async open(options: LeaseOptions): Promise<FoldLease> {
    const settings = { idle_session_timeout: String(silenceMs), statement_timeout: '0' };
    return new FoldLease(await Writer.open(options.url, 'cairn fold lease', settings), options);
  }

  /** Waits for the lock; false when the pause ended first. */
  async acquire(pause: Pause): Promise<boolean> {
    while (!pause.over && !this.#ended) {
      const [row] = await this.#query<{ got: boolean }>(
        'select pg_try_advisory_lock($1, hashtext($2)) as got',
        this.#key(leaseLock),
      );
      if (row?.got) {
        this.#beat();
        return true;
      }
      await pause.for(this.#options.retryMs);
    }
    return false;
  }

  /** Ends the connection of an earlier writer, which may hold rows that it will never give free. */
  async evict(): Promise<void> {
    await this.#query(
      `select pg_terminate_backend(l.pid, ${responseMs - 500})
       from pg_locks l
       where l.locktype = 'advisory' and l.granted
         and l.database = (select d.oid from pg_database d where d.datname = current_database())
         and l.classid = $1::int8::oid and l.objid = (hashtext($2)::int8 & 4294967295)::oid`,
      this.#key(writerLock),
    );
  }

  /** Marks the connection that writes. */
  async mark(writer: Writer): Promise<void> {
    await writer.query('select pg_advisory_lock($1, hashtext($2))', this.#key(writerLock));
  }

  /** Extends the time for which the holder may be silent, before a long computation; or resets it to the default. */
  async extend(milliseconds: number = silenceMs): Promise<void> {
    await this.#query(`set idle_session_timeout = ${Math.max(silenceMs, Math.ceil(milliseconds))}`);
  }

  /** Gives the lock free. */
  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#connection.end();
  }

  #beat(): void {
    this.#timer = setTimeout(() => {
      this.#query('select 1').then(
        () => {
          if (!this.#ended) this.#beat();
        },
        error => this.#lose(error),
      );
    }, beatMs);
  }

  /** Sends a query; a response that takes too long means that the lock is lost. */
  async #query<Row extends object>(text: string, values: string[] = []): Promise<Row[]> {
    let rows: Row[] | undefined;
    const sent = this.#connection.query<Row>(text, values).then(result => {
      rows = result;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, responseMs);
    });
    try {
      await Promise.race([sent, late]);
      // After a long computation timers run before the socket is read: the response may have arrived.
      for (let i = 0; i < 3 && !rows; i++) await setImmediate();
    } finally {
      clearTimeout(timer);
      sent.catch(() => {}); // raised above, or too late to matter
    }
    if (rows) return rows;
    const error = noResponse();
    this.#lose(error);
    throw error;
  }

  #key(lock: number): string[] {
    return [String(lock), this.#options.schema ?? ''];
  }

  #lose(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#connection.destroy();
    this.#options.onLost(error);
  }
}

const noResponse = () =>
  Object.assign(new Error(`the server did not respond to the holder of the fold's lock within ${responseMs} ms`), {
    code: 'ETIMEDOUT',
  });
