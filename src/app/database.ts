import { availableParallelism } from 'node:os';
import type { Config } from '../config/config.ts';
import { connect, type Pool } from '../db/client.ts';
import { databaseLost } from '../db/database-error.ts';
import { startEmbedded } from '../db/embedded/embedded.ts';
import { listPending, migrate } from '../db/migrate.ts';
import { UsageError } from '../errors.ts';
import { isRestoring } from '../ingest/snapshot/restore-state.ts';
import type { Log } from '../log.ts';
import { describeFailure } from './connection-failure.ts';
import { DiskWatch } from './disk-watch.ts';
import { findIdentity, type Identity } from './identity.ts';
import { startTogether } from './lifecycle.ts';
import type { Start } from './start.ts';
import { Suspension } from './suspension.ts';

const RETRY_MS = 500;
const REMIND_MS = 10_000;
const WATCH_MS = 2000;

/** Connections of the embedded server in addition to API reads: other parts of Cairn, and commands that run meanwhile. */
const OTHER_CONNECTIONS = 50;

/** Connections for API reads. More connections than the processors can serve only make each query slower. */
export const poolSize = ({ dbPool }: Config): number => dbPool ?? Math.max(5, 2 * availableParallelism() + 1);

/** A database that accepts connections until `stop`. */
export type Database = {
  url: string;
  /** Folder of the embedded database; undefined for an external one. */
  folder?: string;
  stop(): Promise<void>;
};

/** The database in use. */
export type RunningDatabase = Pick<Database, 'url' | 'stop'> & {
  /** The server itself, where `url` may be a connection pooler: session locks and notifications need it. */
  directUrl: string;
  primary: Pool;
  /** Events are suspended while the disk of the embedded database is nearly full. */
  suspension: Suspension;
};

/** Starts the database, unless a program has given one, and waits until it accepts connections. */
export async function startDatabase(start: Start, given: Database | undefined): Promise<RunningDatabase> {
  const { config, log, metrics, progress } = start;
  return await startTogether(log, async parts => {
    progress.next('starting the database');
    const database = parts.add('database', given ?? (await keepDatabase(config, log.child({ part: 'database' }))));
    const { url, folder } = database;
    let pooled = false;
    const onPooled = () => {
      pooled = true;
    };
    const primary = parts.addPool('main', url, { max: 2, readOnly: config.role === 'api', onPooled });
    // Clients read this, too: the host is only in the log.
    progress.next('waiting for the database to accept connections; the log has the reason');
    await untilReachable(primary, log, progress.halted);
    if (pooled) acceptPooler(config, log);
    const suspension = new Suspension();
    if (folder !== undefined) {
      const watch = DiskWatch.open({
        folder,
        reserve: config.diskReserve,
        log: log.child({ part: 'disk' }),
        onFree: free => metrics.diskFree.set(free),
        onSuspend: reason => suspension.set(reason),
      });
      parts.add('disk watch', await watch);
    }
    return { url, directUrl: config.listenUrl ?? url, primary, suspension };
  });
}

/** Opens the configured database: an external server, or the embedded one in the data folder. `at` is its previous URL. */
export async function openDatabase(config: Config, log: Log, at?: string): Promise<Database> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, stop: async () => {} };
  return startEmbedded({
    dataDir: config.dataDir,
    log: message => log.info(message),
    settings: { max_connections: String(poolSize(config) + OTHER_CONNECTIONS) },
    ...(at !== undefined && { at }),
  });
}

/** Like `openDatabase`, but restarts an embedded server that dies. */
async function keepDatabase(config: Config, log: Log): Promise<Database> {
  let server = await openDatabase(config, log);
  if (config.databaseUrl !== undefined) return server;
  const probe = connect(server.url, { max: 1, name: 'cairn probe', connectTimeoutSeconds: 3 });
  const look = async () => {
    try {
      await probe`select 1`;
    } catch (error) {
      if (!databaseLost(error)) throw error;
      log.warn('the embedded PostgreSQL does not respond; restarting it');
      const old = server;
      server = await openDatabase(config, log, old.url);
      await old.stop(); // The data folder already counts the new user, so the server keeps running.
      log.info('the embedded PostgreSQL runs again');
    }
  };
  let looking: Promise<void> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    looking = look()
      .catch(error => log.error({ err: error }, 'cannot start the embedded PostgreSQL; will retry'))
      .finally(() => {
        busy = false;
      });
  }, WATCH_MS);
  return {
    ...server,
    async stop() {
      clearInterval(timer);
      await looking;
      await probe.end({ timeout: 1 });
      await server.stop();
    },
  };
}

/** Waits until a server accepts connections; throws at once for a wrong password or a missing database. */
export async function untilReachable(sql: Pool, log: Pick<Log, 'warn' | 'info'>, halted: () => boolean): Promise<void> {
  let logged: { message: string; at: number } | undefined;
  for (;;) {
    try {
      await sql`select 1`;
      if (logged) log.info(`the database at ${sql.server} accepts connections`);
      return;
    } catch (error) {
      if (halted()) throw new Error('stopped while starting');
      const { message, final } = describeFailure(sql.server, error);
      if (final) throw new UsageError(message, { cause: error });
      if (logged?.message !== message || performance.now() - logged.at >= REMIND_MS) {
        log.warn(`${message}; trying again`);
        logged = { message, at: performance.now() };
      }
    }
    await new Promise(resolve => setTimeout(resolve, RETRY_MS));
  }
}

/** Accepts a connection pooler in front of the server if no part needs a session there; throws otherwise. */
function acceptPooler({ role, listenUrl }: Pick<Config, 'role' | 'listenUrl'>, log: Log): void {
  if (listenUrl !== undefined) {
    log.info('the database is behind a connection pooler; notifications and the fold use CAIRN_LISTEN_URL');
    return;
  }
  if (role !== 'api') {
    throw new UsageError(
      'the database is behind a connection pooler: set CAIRN_LISTEN_URL to the server itself, or run only CAIRN_ROLE=api here',
    );
  }
  log.warn(
    'the database is behind a connection pooler: new blocks are polled every second; CAIRN_LISTEN_URL would announce them',
  );
}

/** Applies pending migrations; throws if the database has tables of another program, or is only partly restored. */
export async function prepareSchema(sql: Pool, log: Log): Promise<void> {
  if (await isRestoring(sql)) {
    throw new UsageError(
      'the restore of a snapshot into this database is not complete: run the same cairn snapshot restore again, or start with the same CAIRN_SNAPSHOT',
    );
  }
  const [found] = await sql<{ tables: number; ours: boolean }[]>`
    select
      count(*)::int as tables,
      bool_or(c.relname = 'migrations') as ours
    from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p')
  `;
  if (found && found.tables > 0 && !found.ours) {
    throw new UsageError(
      `the database has ${found.tables} tables of another program: give Cairn a database of its own`,
    );
  }
  await migrate(sql, { log: message => log.info(message) });
}

/** For a read-only process: waits until another process has migrated the tables and stored the network. */
export async function untilPrepared(sql: Pool, log: Log, halted: () => boolean): Promise<Identity> {
  let identity: Identity | undefined;
  await until(
    halted,
    log,
    'waiting for a process with CAIRN_ROLE=ingest or all to prepare the database and learn its network',
    async () => {
      if ((await isRestoring(sql)) || (await listPending(sql)).length > 0) return false;
      identity = await findIdentity(sql);
      return identity !== undefined;
    },
  );
  return identity!;
}

async function until(halted: () => boolean, log: Log, what: string, test: () => Promise<boolean>): Promise<void> {
  let reminded = 0;
  while (!(await test())) {
    if (halted()) throw new Error('stopped while starting');
    if (Date.now() - reminded > REMIND_MS) {
      log.info(what);
      reminded = Date.now();
    }
    await new Promise(resolve => setTimeout(resolve, RETRY_MS));
  }
}
