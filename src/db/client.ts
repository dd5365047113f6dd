import { availableParallelism } from 'node:os';
import { describeServer, readAddress, withHost } from './address.ts';
import { arrayText, serializeParameters } from './parameter.ts';
import { ConnectionPool } from './pool/connection-pool.ts';
import { Listener } from './pool/listener.ts';
import type { ConnectionOptions } from './pool/open-client.ts';
import { Request, type StatementObserver } from './pool/request.ts';
import { runTransaction } from './pool/transaction.ts';
import type { ResponseReads } from './response-reads.ts';
import { type Send, Statement, type StatementPart } from './statement.ts';
import type { Value } from './table.ts';

// biome-ignore lint/suspicious/noExplicitAny: a query that does not say what its rows are
type AnyRow = Record<string, any>;

/** Runs statements: the pool or a transaction, as the caller chooses. */
export type Sql = {
  <T extends readonly object[] = AnyRow[]>(strings: TemplateStringsArray, ...parts: StatementPart[]): Statement<T>;
  /** A name of the schema, quoted. */
  (name: string): Statement<never>;
  /** Constant text: a part of a statement or, if awaited, one or several statements without values. */
  unsafe<T extends readonly object[] = AnyRow[]>(text: string): Statement<T>;
};

/** One transaction, as passed by `begin`. */
export type Tx = Sql;

/** Statements and transactions on the connections of a pool; `begin` runs a transaction. */
export type Reader = Sql & {
  begin<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  begin<T>(options: string, work: (tx: Tx) => Promise<T>): Promise<T>;
};

/** A pool of connections; `end` closes it. */
export type Pool = Reader & {
  options: Pick<ConnectOptions, 'max'>;
  /** Host and port of the server, or the folder of its socket; never a password. */
  server: string;
  /** The connections of this pool, with this time limit for each statement. */
  within(ms: number): Sql;
  /** The connections of this pool, for the reads of one response. */
  forResponse(reads: ResponseReads): Reader;
  /** Checks on another connection whether the server works on a statement of this pool; rejects if the server does not respond. */
  isBusy(withinMs: number): Promise<boolean>;
  /** Listens to a channel until `unlisten`, on its own connection; `onListen` is called after each (re)connect. */
  listen(
    channel: string,
    onNotification: (payload: string) => void,
    onListen?: () => void,
  ): Promise<{ unlisten(): Promise<void> }>;
  /** Rejects further statements and waits for those in progress, at most this many seconds. */
  end(options?: { timeout?: number }): Promise<void>;
};

export type ConnectOptions = {
  /** Maximum number of open connections. */
  max: number;
  /** Shown as application_name in pg_stat_activity. */
  name: string;
  /** Makes every write fail; a statement that lost its connection is repeated once. */
  readOnly?: boolean;
  /** The search path for unqualified names; default: that of the server. */
  schemas?: readonly string[];
  connectTimeoutSeconds?: number;
  /** Disables hash and merge joins, so that pages of rows use index scans. */
  seeks?: boolean;
  /** Pipelines short statements on few connections; the other connections are for slow ones and for transactions. */
  pipelined?: boolean;
  /** Uses generic plans: the pool has few distinct statements, and each is planned once. */
  fixedPlans?: boolean;
  /**
   * Time limit of a statement on the server. Half a second later it has failed here too, whatever the server or the network
   * does. Default: no limit, also if the server has one.
   */
  statementTimeoutMs?: number;
  /** This thread may compute for long while results wait for it: the server must not take that for a lost network. */
  busyClient?: boolean;
  /** Without a time limit: milliseconds without a response after which the server is checked. Default: 30 seconds. */
  silentMs?: number;
  /** Called with each notice of the server; by default notices are dropped. */
  onNotice?: (message: string) => void;
  /** Called once if the server is behind a connection pooler. */
  onPooled?: () => void;
  /** Called after each statement; must be fast. */
  onStatement?: StatementObserver | undefined;
};

/** Options of pools for API reads. They disable hash and merge joins and use generic plans. */
export const apiReads = {
  readOnly: true,
  seeks: true,
  pipelined: true,
  fixedPlans: true,
  connectTimeoutSeconds: 5,
} as const;

/** Number of connections for pipelined statements: one for each processor that this process leaves free. */
export const PIPELINED_CONNECTIONS = Math.max(1, availableParallelism() - 1);

/** Milliseconds after the time limit of the server at which a statement fails here. */
const GRACE_MS = 400;

const SILENT_MS = 30_000;

/** The planner would scan a small table completely for twenty rows. */
const seekSettings = { enable_hashjoin: 'off', enable_mergejoin: 'off' };

/**
 * Bytes that a busy client has not read for a while are no sign of a lost network; the probes of an idle connection, which the
 * system of the client responds to, still are.
 */
export const busyClient = { tcp_user_timeout: '0' };

/** Constant numbers as statement text: generic plans do not know values, and partial indexes need these. */
export const constant = (sql: Sql, ...values: number[]) => sql.unsafe(values.join(', '));

/**
 * Opens a pool on a `postgres://` URL: int8 arrives as bigint, numeric as string, bytea as Buffer.
 * The host may be a folder with a unix socket, as `%2Fpath` or as `?host=/path`.
 */
export function connect(url: string, options: ConnectOptions): Pool {
  const { max, name, readOnly = false, statementTimeoutMs = Number.POSITIVE_INFINITY } = options;
  const { onNotice, onPooled, onStatement } = options;
  const connection: ConnectionOptions = {
    address: readAddress(url),
    name,
    settings: settingsOf(options),
    connectTimeoutMs: (options.connectTimeoutSeconds ?? 10) * 1000,
    onNotice,
    silentMs: options.silentMs ?? SILENT_MS,
  };
  const timeoutMs = statementTimeoutMs + GRACE_MS;
  const shared = options.pipelined ? PIPELINED_CONNECTIONS : 0;
  const pool = new ConnectionPool({ ...connection, max, shared, repeatable: readOnly, timeoutMs, onPooled });
  const listeners = new Set<Listener>();

  const send = sender(request => pool.send(request), timeoutMs, false, onStatement);
  const readerOf = (reads?: ResponseReads): Reader => {
    const begin = <T>(...[first, second]: [string, (tx: Tx) => Promise<T>] | [(tx: Tx) => Promise<T>]): Promise<T> => {
      const [mode, work] = typeof first === 'string' ? [first, second!] : ['', first];
      const transaction = { mode, reads: readOnly, timeoutMs };
      return runTransaction(pool, transaction, inside =>
        work(statements(sender(inside, timeoutMs, true, onStatement), reads)),
      );
    };
    return Object.assign(statements(send, reads), { begin });
  };
  const listen: Pool['listen'] = async (channel, onNotification, onListen) => {
    const listener = new Listener({ connection, channel, onNotification, onListen, onPooled });
    listeners.add(listener);
    await listener.start();
    return {
      unlisten: async () => {
        listeners.delete(listener);
        listener.stop();
      },
    };
  };
  const end: Pool['end'] = async ({ timeout = Number.POSITIVE_INFINITY } = {}) => {
    for (const listener of listeners) listener.stop();
    await pool.end(timeout * 1000);
  };
  const isBusy = (ms: number) => pool.isBusy(ms);
  const within = (ms: number) => statements(sender(request => pool.send(request), ms, false, onStatement));
  const methods = { within, forResponse: readerOf, isBusy, listen, end, options: { max }, server: describeServer(url) };
  return Object.assign(readerOf(), methods);
}

/** Sends statements as requests. A value that cannot be serialized fails only its own statement. */
const sender =
  (send: (request: Request) => void, timeoutMs: number, inTransaction: boolean, observer?: StatementObserver): Send =>
  (text, values, simple, reads) => {
    const options = { simple, timeoutMs, inTransaction, reads, observer };
    let request: Request;
    try {
      request = new Request(text, serializeParameters(values), options);
    } catch (error) {
      request = new Request(text, [], options);
      request.reject(error);
      return request;
    }
    send(request);
    return request;
  };

/** Creates the tag function for statements that are sent by `send`, for a response where one is given. */
function statements(send: Send, responseReads?: ResponseReads): Sql {
  const sql = (first: TemplateStringsArray | string, ...parts: StatementPart[]) =>
    typeof first === 'string'
      ? new Statement([`"${first.replaceAll('"', '""')}"`], [], send)
      : new Statement(first, parts, send, false, responseReads);
  const unsafe = (text: string) => new Statement([text], [], send, true, responseReads);
  return Object.assign(sql, { unsafe }) as Sql;
}

function settingsOf(options: ConnectOptions): Record<string, string> {
  return {
    // Queries are short; compiling them costs more than it saves.
    jit: 'off',
    TimeZone: 'UTC',
    // Hosted servers cancel statements after minutes; building an index of a long chain takes hours.
    statement_timeout: String(options.statementTimeoutMs ?? 0),
    // The server ends the transaction of a reader whose network is gone: its locks would keep tables from being altered.
    idle_in_transaction_session_timeout: String(options.readOnly ? (options.statementTimeoutMs ?? 0) : 0),
    ...(options.busyClient && busyClient),
    ...(options.seeks && seekSettings),
    ...(options.fixedPlans && { plan_cache_mode: 'force_generic_plan' }),
    ...(options.readOnly && { default_transaction_read_only: 'on' }),
    ...(options.schemas && { search_path: searchPath(options.schemas) }),
  };
}

/** The value of the setting search_path for these schemas. */
export const searchPath = (schemas: readonly string[]) => schemas.map(s => `"${s.replaceAll('"', '""')}"`).join(', ');

/** A PostgreSQL array in text form: `any(${arrayLiteral(ids)}::int8[])`. */
export const arrayLiteral: (list: readonly Value[]) => string = arrayText;

/** The URL of another database of the server, with the role of this one. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(withHost(url));
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}
