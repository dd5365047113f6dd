import { availableParallelism } from 'node:os';
import { readAddress, withHost } from './address.ts';
import { arrayText, serializeParameters } from './parameter.ts';
import { type Cancellation, currentCancellation } from './pool/cancellation.ts';
import { ConnectionPool } from './pool/connection-pool.ts';
import { Listener } from './pool/listener.ts';
import type { ConnectionOptions } from './pool/open-client.ts';
import { Request } from './pool/request.ts';
import { runTransaction } from './pool/transaction.ts';
import { type Send, Statement, type StatementPart } from './statement.ts';
import type { Value } from './table.ts';

// biome-ignore lint/suspicious/noExplicitAny: a query that does not say what its rows are
type AnyRow = Record<string, any>;

/** What a query needs: the pool or a transaction, as the caller chooses. */
export type Sql = {
  <T extends readonly object[] = AnyRow[]>(strings: TemplateStringsArray, ...parts: StatementPart[]): Statement<T>;
  /** A name of the schema, quoted. */
  (name: string): Statement<never>;
  /** Text of the program itself: a part of a statement or, awaited, one or several statements without values. */
  unsafe<T extends readonly object[] = AnyRow[]>(text: string): Statement<T>;
};

/** One transaction, as `begin` hands it out. */
export type Tx = Sql;

/** A pool of connections; `begin` gives a transaction, `end` closes it. */
export type Pool = Sql & {
  options: Pick<ConnectOptions, 'max'>;
  begin<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  begin<T>(options: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same connections, for statements whose answers are not waited for any longer than this. */
  within(ms: number): Sql;
  /** The same connections, for all statements of the request whose handler calls this before it first waits. */
  scoped(): Sql;
  /** Asks the server, on another connection, whether it works on a statement of this pool; rejects when it does not say. */
  isBusy(withinMs: number): Promise<boolean>;
  /** Hears a channel until `unlisten`, on a connection of its own; `onListen` says each time that it begins. */
  listen(
    channel: string,
    onNotification: (payload: string) => void,
    onListen?: () => void,
  ): Promise<{ unlisten(): Promise<void> }>;
  /** Refuses more statements and waits for those under way, for so many seconds at most. */
  end(options?: { timeout?: number }): Promise<void>;
};

export type ConnectOptions = {
  /** Most connections open at once. */
  max: number;
  /** Shown as application_name in pg_stat_activity. */
  name: string;
  /** Refuses every write, for pools that only answer questions; a statement that lost its connection is asked once more. */
  readOnly?: boolean;
  /** The schemas that unqualified names mean, first match first; the server's default without it. */
  schemas?: readonly string[];
  connectTimeoutSeconds?: number;
  /** Every question of the pool goes from index to index: no table is hashed for a page of rows. */
  seeks?: boolean;
  /** Statements follow one another on few connections without waiting for answers; the others are for slow ones and for transactions. */
  pipelined?: boolean;
  /** The few statements of the pool come again and again: each is planned once and not for every set of values. */
  fixedPlans?: boolean;
  /**
   * After this the server gives up a statement, and half a second later it has failed here, whatever the server or the
   * network does; never without it, whatever the server would do by itself.
   */
  statementTimeoutMs?: number;
  /** Where there is no time limit: after so long without an answer the server is asked whether it still works on it. */
  silentMs?: number;
  /** Told of each notice of the server; notices are dropped without it. */
  onNotice?: (message: string) => void;
  /** Told once when the server is behind a pooler. */
  onPooled?: () => void;
};

/** How a pool is opened that answers questions of clients. */
export const answering = {
  readOnly: true,
  seeks: true,
  pipelined: true,
  fixedPlans: true,
  connectTimeoutSeconds: 5,
} as const;

/** Connections that statements share while none of them is slow: one for each processor that the asking process leaves free. */
export const SHARED_CONNECTIONS = Math.max(1, availableParallelism() - 1);

/** The server ends a statement by itself; what has no answer so much later gets none. */
const GRACE_MS = 400;

const SILENT_MS = 30_000;

/** While a table is small the planner likes to read all of it for twenty rows. */
const seekSettings = { enable_hashjoin: 'off', enable_mergejoin: 'off' };

/** A number of the program itself, as part of the statement: plans are made before values are known, and partial indexes need it. */
export const constant = (sql: Sql, value: number) => sql.unsafe(String(value));

/**
 * Opens a pool on a `postgres://` URL: int8 arrives as bigint, numeric as string, bytea as Buffer.
 * The host may be a folder with a unix socket, as `%2Fpath` or as `?host=/path`.
 */
export function connect(url: string, options: ConnectOptions): Pool {
  const { max, name, readOnly = false, statementTimeoutMs = Number.POSITIVE_INFINITY, onNotice, onPooled } = options;
  const connection: ConnectionOptions = {
    address: readAddress(url),
    name,
    settings: settingsOf(options),
    connectTimeoutMs: (options.connectTimeoutSeconds ?? 10) * 1000,
    onNotice,
    silentMs: options.silentMs ?? SILENT_MS,
  };
  const timeoutMs = statementTimeoutMs + GRACE_MS;
  const shared = options.pipelined ? SHARED_CONNECTIONS : 0;
  const pool = new ConnectionPool({ ...connection, max, shared, repeatable: readOnly, timeoutMs, onPooled });
  const listeners = new Set<Listener>();

  // What writes is never given up for a client.
  const cancellationOf = readOnly ? currentCancellation : () => undefined;

  const begin = <T>(...[first, second]: [string, (tx: Tx) => Promise<T>] | [(tx: Tx) => Promise<T>]): Promise<T> => {
    const [mode, work] = typeof first === 'string' ? [first, second!] : ['', first];
    const transaction = { mode, reads: readOnly, timeoutMs };
    const cancellation = cancellationOf();
    return runTransaction(pool, transaction, send =>
      work(statements(sender(send, timeoutMs, true), () => cancellation)),
    );
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
  const within = (ms: number, cancel = cancellationOf) =>
    statements(
      sender(request => pool.send(request), ms, false),
      cancel,
    );
  const scoped = () => {
    const cancellation = cancellationOf();
    return within(timeoutMs, () => cancellation);
  };
  const methods = { begin, within: (ms: number) => within(ms), scoped, isBusy, listen, end, options: { max } };
  return Object.assign(within(timeoutMs), methods);
}

/** Turns statements into requests. A value that cannot be sent fails its own statement. */
const sender =
  (send: (request: Request) => void, timeoutMs: number, inTransaction: boolean): Send =>
  (text, values, simple) => {
    const options = { simple, timeoutMs, inTransaction };
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

/** Writes statements that are sent in this way and given up with a cancellation. */
function statements(send: Send, cancellationOf: () => Cancellation | undefined): Sql {
  const sql = (first: TemplateStringsArray | string, ...parts: StatementPart[]) =>
    typeof first === 'string'
      ? new Statement([`"${first.replaceAll('"', '""')}"`], [], send)
      : new Statement(first, parts, send, false, cancellationOf());
  const unsafe = (text: string) => new Statement([text], [], send, true, cancellationOf());
  return Object.assign(sql, { unsafe }) as Sql;
}

function settingsOf(options: ConnectOptions): Record<string, string> {
  return {
    // Queries here are short; compiling them costs more than it saves.
    jit: 'off',
    TimeZone: 'UTC',
    // Hosted servers end what takes minutes; an index of a long chain, and the transaction that waits for it, take hours.
    statement_timeout: String(options.statementTimeoutMs ?? 0),
    // The server ends the transaction of a reader whose network is gone: its locks would keep tables from being altered.
    idle_in_transaction_session_timeout: String(options.readOnly ? (options.statementTimeoutMs ?? 0) : 0),
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

/** The same server and role, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(withHost(url));
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}
