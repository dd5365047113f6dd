import { availableParallelism } from 'node:os';
import postgres from 'postgres';
import { Lanes } from './lanes.ts';
import { asking, prepared } from './question.ts';
import { type Send, Statement, type StatementPart } from './statement.ts';
import type { Value } from './table.ts';

type Types = { bigint: bigint };
type Driver = postgres.Sql<Types>;

/** What a query needs: the pool or a transaction, as the caller chooses. */
export type Sql = {
  <T extends readonly object[] = postgres.Row[]>(
    strings: TemplateStringsArray,
    ...parts: StatementPart[]
  ): Statement<T>;
  /** A name of the schema, quoted. */
  (name: string): Statement<never>;
  /** Text of the program itself: a part of a statement or, awaited, one or several statements without values. */
  unsafe<T extends readonly object[] = postgres.Row[]>(text: string): Statement<T>;
};

/** One transaction, as `begin` hands it out. */
export type Tx = Sql;

/** A pool of connections; `begin` gives a transaction, `end` closes it. */
export type Pool = Sql &
  Pick<Driver, 'end' | 'listen'> & {
    options: Pick<ConnectOptions, 'max'>;
    begin<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
    begin<T>(options: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  };

export type ConnectOptions = {
  /** Most connections open at once. */
  max: number;
  /** Shown as application_name in pg_stat_activity. */
  name: string;
  /** Refuses every write, for pools that only answer questions. */
  readOnly?: boolean;
  /** The schemas that unqualified names mean, first match first; the server's default without it. */
  schemas?: readonly string[];
  connectTimeoutSeconds?: number;
  /** Every question of the pool goes from index to index: no table is hashed for a page of rows. */
  seeks?: boolean;
  /**
   * Statements follow one another on few connections without waiting for answers; the others are for slow ones and for
   * transactions. None can be cancelled: the server would give up whichever is its turn.
   */
  lanes?: boolean;
  /** The few statements of the pool come again and again: each is planned once and not for every set of values. */
  fixedPlans?: boolean;
  /** After this the server gives up a statement; never without it, whatever the server would do by itself. */
  statementTimeoutMs?: number;
  /** Told of each notice of the server; notices are dropped without it. */
  onNotice?: (message: string) => void;
};

/** How a pool is opened that answers questions of clients. */
export const answering = { readOnly: true, seeks: true, lanes: true, fixedPlans: true } as const;

/** Lanes that statements share while none of them is slow: one for each processor that the asking process leaves free. */
export const STEADY_LANES = Math.max(1, availableParallelism() - 1);

/** While a table is small the planner likes to read all of it for twenty rows. */
const seekSettings = { enable_hashjoin: 'off', enable_mergejoin: 'off' };

/** A number of the program itself, as part of the statement: plans are made before values are known, and partial indexes need it. */
export const constant = (sql: Sql, value: number) => sql.unsafe(String(value));

/**
 * Opens a pool on a `postgres://` URL: int8 arrives as bigint, numeric as string, bytea as Buffer.
 * The host may be a folder with a unix socket, as `%2Fpath` or as `?host=/path`.
 */
export function connect(url: string, options: ConnectOptions): Pool {
  const { onNotice } = options;
  const address = parseAddress(url);
  const open = (max: number): Driver =>
    postgres(address.url, {
      ...(address.host !== undefined && { host: address.host }),
      ...(address.port !== undefined && { port: address.port }),
      max,
      connect_timeout: options.connectTimeoutSeconds ?? 10,
      // A connection may hold an advisory lock for as long as the service lives, so none is recycled by age.
      max_lifetime: null,
      types: { bigint: postgres.BigInt },
      onnotice: notice => onNotice?.(`${notice.severity}: ${notice.message}`),
      connection: {
        application_name: options.name,
        // Queries here are short; compiling them costs more than it saves.
        jit: 'off',
        TimeZone: 'UTC',
        ...(options.seeks && seekSettings),
        ...(options.fixedPlans && { plan_cache_mode: 'force_generic_plan' }),
        ...(options.readOnly && { default_transaction_read_only: true }),
        ...timeLimits(options.statementTimeoutMs),
        ...(options.schemas && { search_path: searchPath(options.schemas) }),
      },
    });
  const drivers = options.lanes ? Array.from({ length: options.max }, () => open(1)) : [open(options.max)];
  const sendOf = options.lanes ? askingOf : sendingOf;
  const lanes = new Lanes(
    drivers.map(driver => ({ driver, send: sendOf(driver) })),
    STEADY_LANES,
  );
  return Object.assign(
    statements((...statement) => lanes.send(({ send }) => send(...statement))),
    {
      begin: <T>(...[first, second]: [string, (tx: Tx) => Promise<T>] | [(tx: Tx) => Promise<T>]) => {
        const [mode, work] = typeof first === 'string' ? [first, second!] : ['', first];
        return lanes.begin(({ driver }) => driver.begin(mode, tx => work(statements(sendingOf(tx)))));
      },
      end: async (how?: { timeout?: number }) => void (await Promise.all(drivers.map(driver => driver.end(how)))),
      listen: drivers[0]!.listen,
      options: { max: options.max },
    },
  ) as Pool;
}

/** Sends statements as the driver does. Only text without values may be several. */
const sendingOf =
  (driver: Pick<Driver, 'unsafe'>): Send =>
  (text, values, simple) =>
    driver.unsafe(text, values as never[], simple ? {} : (prepared as object)) as unknown as ReturnType<Send>;

/** Sends what is prepared without the driver's own promises. */
const askingOf = (driver: Driver): Send => {
  const [send, ask] = [sendingOf(driver), asking(driver)];
  return (text, values, simple) => (simple ? send(text, values, simple) : ask(text, values));
};

/** Writes statements that are sent in this way. */
function statements(send: Send): Sql {
  const sql = (first: TemplateStringsArray | string, ...parts: StatementPart[]) =>
    typeof first === 'string'
      ? new Statement([`"${first.replaceAll('"', '""')}"`], [], send)
      : new Statement(first, parts, send);
  return Object.assign(sql, { unsafe: (text: string) => new Statement([text], [], send, true) }) as Sql;
}

/**
 * Hosted servers end what takes minutes; an index of a long chain, and the transaction that waits for it, take hours. As text,
 * since the driver leaves out a zero.
 */
const timeLimits = (statementTimeoutMs = 0): Record<string, string> => ({
  statement_timeout: String(statementTimeoutMs),
  idle_in_transaction_session_timeout: '0',
});

/**
 * A PostgreSQL array in text form: `any(${arrayLiteral(ids)}::int8[])`. The driver sends an array of wide integers or bytes
 * under the type of its first element, which the server refuses, and `sql.array` fails on a new connection.
 */
export const arrayLiteral = (list: readonly Value[]): string => `{${list.map(element).join(',')}}`;

function element(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  // PostgreSQL text cannot hold U+0000.
  if (typeof value === 'string') return `"${value.replaceAll('\0', '').replace(/[\\"]/g, '\\$&')}"`;
  return String(value);
}

/** The value of the setting search_path for these schemas. */
export const searchPath = (schemas: readonly string[]) => schemas.map(s => `"${s.replaceAll('"', '""')}"`).join(', ');

/** The same server and role, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(withHost(url));
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}

/** Takes the parts out of a URL that the driver does not understand: it dials `%2Ftmp` as a host name. */
function parseAddress(url: string): { url: string; host?: string; port?: number } {
  let parsed: URL;
  try {
    parsed = new URL(withHost(url));
  } catch {
    throw new Error('the database URL cannot be read: expected postgres://user:password@host:port/database');
  }
  const host = parsed.searchParams.get('host') ?? decodeURIComponent(parsed.hostname);
  const port = parsed.searchParams.get('port') ?? parsed.port;
  parsed.searchParams.delete('host');
  parsed.searchParams.delete('port');
  const folder = host.startsWith('/');
  if (folder) parsed.hostname = 'localhost';
  return {
    url: parsed.href,
    ...(folder || parsed.hostname !== host ? { host } : {}),
    ...(port !== '' && { port: Number(port) }),
  };
}

/** `postgres://user@/db?host=/run` names no host, which a URL may not do. */
const withHost = (url: string) => url.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost');
