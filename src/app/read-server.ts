import { type ConnectOptions, connect, type Pool } from '../db/client.ts';
import type { Log } from '../log.ts';
import { Pause } from '../pause.ts';

const LOOK_MS = 2000;
/** Long enough for a server that is only busy: its load would be too much for the next one as well. */
const ANSWER_MS = 10_000;

export type ReadServerOptions = {
  /** The preferred one first. */
  replicas: readonly string[];
  /** Read from where no replica will do. */
  primary: string;
  /** The last step of the journal that answers have shown: a replica that does not have it would take them back in time. */
  shown: () => number;
  log: Log;
};

type Opened = { options: ConnectOptions; pool: Pool };

/** The server that answers are read from: the first replica that will do, and when that is lost, the next choice. */
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

  /** Chooses the server, and watches it where there is a choice. */
  static async choose(options: ReadServerOptions): Promise<ReadServer> {
    const { replicas, primary, log } = options;
    const server = new ReadServer(options, primary);
    if (replicas.length > 0) {
      server.#url = await server.#firstOf(error => log.warn({ err: error }, 'a server of CAIRN_READ_URLS will not do'));
      server.#loop = server.#watch(server.open({ max: 1, name: 'cairn probe', connectTimeoutSeconds: 3 }));
    }
    return server;
  }

  /** A pool that goes along when another server is chosen; this ends it, too. */
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
      await this.#pause.for(LOOK_MS);
      if (this.#pause.over || (await answers(probe))) continue;
      const url = await this.#firstOf(() => {});
      if (url !== this.#url && !this.#pause.over) this.#move(url);
    }
  }

  #move(url: string): void {
    const { primary, log } = this.#options;
    this.#url = url;
    log.warn(
      `the server that answers are read from is lost; now it is ${url === primary ? 'the primary' : 'a replica'}`,
    );
    for (const opened of this.#opened) {
      // What waits for the lost server fails by itself.
      void opened.pool.end({ timeout: 5 }).catch(() => {});
      opened.pool = connect(url, opened.options);
    }
  }

  /** The first replica that answers and has all that was shown, else the primary. */
  async #firstOf(onRefusal: (error: unknown) => void): Promise<string> {
    const { replicas, primary, shown } = this.#options;
    for (const url of replicas) {
      if (this.#pause.over) break;
      const sql = connect(url, { max: 1, name: 'cairn probe', connectTimeoutSeconds: 3 });
      try {
        if ((await lastStep(sql)) >= shown()) return url;
      } catch (error) {
        onRefusal(error);
      } finally {
        await sql.end({ timeout: 1 });
      }
    }
    return primary;
  }
}

/** The last step of the journal that a server has; rejects when it does not say so in time. */
async function lastStep(sql: Pool): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
  });
  try {
    const asked = sql<{ seq: bigint }[]>`select p.journal_seq as seq from fold_position p`;
    const [row] = await Promise.race([asked, late]);
    return Number(row!.seq);
  } finally {
    clearTimeout(timer);
  }
}

const answers = (sql: Pool): Promise<boolean> =>
  lastStep(sql).then(
    () => true,
    () => false,
  );

/** Does what the pool of the moment does. */
const following = (opened: Opened): Pool =>
  new Proxy(opened.pool, {
    apply: (_, self, question) => Reflect.apply(opened.pool, self, question),
    get: (_, name) => Reflect.get(opened.pool, name),
  });
