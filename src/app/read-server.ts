import { type ConnectOptions, connect, type Pool } from '../db/client.ts';
import type { Log } from '../log.ts';
import { Pause } from '../pause.ts';

const POLL_MS = 2000;
/** Long enough for a busy server: moving its load to the next server would overload that one too. */
const RESPONSE_MS = 10_000;

export type ReadServerOptions = {
  /** In order of preference. */
  replicas: readonly string[];
  /** Used if no replica is usable. */
  primary: string;
  /** The last journal entry that responses have shown; a replica without it would serve older data. */
  shown: () => number;
  log: Log;
};

type Opened = { options: ConnectOptions; pool: Pool };

/** The server for API reads: the first usable replica; when it is lost, the next one. */
export class ReadServer {
  readonly #options: ReadServerOptions;
  readonly #opened: Opened[] = [];
  readonly #pause = new Pause();
  #url: string;
  #loop: Promise<void> | undefined;

  private constructor(options: ReadServerOptions, url: string) {
    this.#options = options;
    this.#url = url;
  }

  /** Chooses the server, and watches it if there are replicas. */
  static async choose(options: ReadServerOptions): Promise<ReadServer> {
    const { replicas, primary, log } = options;
    const server = new ReadServer(options, primary);
    if (replicas.length > 0) {
      server.#url = await server.#firstOf(error => log.warn({ err: error }, 'read replica unusable'));
      server.#loop = server.#watch(server.open({ max: 1, name: 'cairn probe', connectTimeoutSeconds: 3 }));
    }
    return server;
  }

  /** Opens a pool that follows the chosen server; `stop` closes it. */
  open(options: ConnectOptions): Pool {
    const opened = { options, pool: connect(this.#url, options) };
    this.#opened.push(opened);
    return this.#options.replicas.length > 0 ? following(opened) : opened.pool;
  }

  async stop(): Promise<void> {
    this.#pause.end();
    await Promise.all(this.#opened.map(({ pool }) => pool.end({ timeout: 5 })));
    await this.#loop;
  }

  async #watch(probe: Pool): Promise<void> {
    while (!this.#pause.over) {
      await this.#pause.for(POLL_MS);
      if (this.#pause.over || (await responds(probe))) continue;
      const url = await this.#firstOf(() => {});
      if (url !== this.#url && !this.#pause.over) this.#move(url);
    }
  }

  #move(url: string): void {
    const { primary, log } = this.#options;
    this.#url = url;
    log.warn(`lost the server for API reads; switched to ${url === primary ? 'the primary' : 'a replica'}`);
    for (const opened of this.#opened) {
      // Queries that wait for the lost server fail.
      void opened.pool.end({ timeout: 5 }).catch(() => {});
      opened.pool = connect(url, opened.options);
    }
  }

  /** The first replica that responds and has every journal entry that was shown, else the primary. */
  async #firstOf(onUnusable: (error: unknown) => void): Promise<string> {
    const { replicas, primary, shown } = this.#options;
    for (const url of replicas) {
      if (this.#pause.over) break;
      const sql = connect(url, { max: 1, name: 'cairn probe', connectTimeoutSeconds: 3 });
      try {
        if ((await lastJournalEntry(sql)) >= shown()) return url;
      } catch (error) {
        onUnusable(error);
      } finally {
        await sql.end({ timeout: 1 });
      }
    }
    return primary;
  }
}

/** The last journal entry of a server; rejects if it does not respond in time. */
async function lastJournalEntry(sql: Pool): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${RESPONSE_MS} ms`)), RESPONSE_MS);
  });
  try {
    const read = sql<{ seq: bigint }[]>`select p.journal_seq as seq from fold_position p`;
    const [row] = await Promise.race([read, late]);
    return Number(row!.seq);
  } finally {
    clearTimeout(timer);
  }
}

const responds = (sql: Pool): Promise<boolean> =>
  lastJournalEntry(sql).then(
    () => true,
    () => false,
  );

/** Delegates to the pool of the server that is in use. */
const following = (opened: Opened): Pool =>
  new Proxy(opened.pool, {
    apply: (_, self, args) => Reflect.apply(opened.pool, self, args),
    get: (_, name) => Reflect.get(opened.pool, name),
  });
