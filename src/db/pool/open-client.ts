import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { type Address, startupOptions } from '../address.ts';
import { columnTypes } from '../column-parsers.ts';
import { ConnectionLost } from '../database-error.ts';
import { afterRunningTime } from '../running-time.ts';

export type ConnectionOptions = {
  address: Address;
  name: string;
  settings: Readonly<Record<string, string>>;
  connectTimeoutMs: number;
  onNotice?: ((message: string) => void) | undefined;
  /** Milliseconds without a response after which the server is checked, for statements without a time limit. */
  silentMs: number;
};

/** A server that has disappeared is detected after this time and ten probes, one second apart. */
const KEEPALIVE_MS = 5000;
/** The server, too, detects a client that has disappeared within seconds instead of hours. */
const liveness = {
  tcp_keepalives_idle: '2',
  tcp_keepalives_interval: '1',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '5000',
};
/** A startup setting that no server knows: a connection that returns another value is behind a pooler. */
const MARKER = 'cairn.session';

/** The options of a `pg.Client` that its types lack; they are in its documentation. */
type ClientConfig = pg.ClientConfig & { pipeline?: boolean };

/** A client that is not connected yet, and its socket. */
export type OpenClient = { client: pg.Client; socket: Socket; marker: string; address: Address };

/** Opens a client on a socket that this program created, so that it can be destroyed whatever the server does. */
export function openClient(options: ConnectionOptions, host: string, pipeline: boolean): OpenClient {
  const socket = new Socket();
  const marker = randomUUID();
  const { address, settings } = options;
  const own = startupOptions({ ...liveness, ...settings, [MARKER]: marker });
  const config: ClientConfig = {
    connectionString: host,
    application_name: options.name,
    options: address.options === undefined ? own : `${address.options} ${own}`,
    types: columnTypes,
    stream: () => socket,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    pipeline,
  };
  const client = new pg.Client(config);
  if (options.onNotice) {
    const { onNotice } = options;
    client.on('notice', notice => onNotice(`${notice.severity}: ${notice.message}`));
  }
  return { client, socket, marker, address };
}

/** What is known about a connection once it is open. */
export type Connected = {
  processId: number;
  /** True behind a pooler. */
  pooled: boolean;
  /** True if named prepared statements can be used. */
  prepares: boolean;
};

/** Connects a client within its time limit. Of several hosts, it must be the primary. */
export async function connectClient(
  { client, socket, marker, address }: OpenClient,
  timeoutMs: number,
): Promise<Connected> {
  // `pg` stops its own timer when the server is ready; a pooler reports that before it has a server.
  const stopTimer = afterRunningTime(timeoutMs, () => socket.destroy(timeout(timeoutMs)));
  try {
    await client.connect();
    const { rows } = await client.query<{ marker: string | null; pid: number; standby: boolean }>(
      `select current_setting('${MARKER}', true) as marker, pg_backend_pid() as pid, pg_is_in_recovery() as standby`,
    );
    const [row] = rows;
    if (address.hosts.length > 1 && row!.standby) throw new ConnectionLost('the server is not the primary any more');
    const pooled = row!.marker !== marker;
    return { processId: row!.pid, pooled, prepares: !pooled || (await carriesPrepared(client, `cairn_${marker}`)) };
  } catch (error) {
    // The next connection searches the primary again.
    address.primary = undefined;
    throw error;
  } finally {
    stopTimer();
  }
}

const timeout = (ms: number) => Object.assign(new Error(`no connection within ${ms} ms`), { code: 'ETIMEDOUT' });

/**
 * True if a pooler carries prepared statements from one server process to the next. Such a pooler (PgBouncer from 1.21 on, with
 * `max_prepared_statements`) gives each statement a name of its own; others pass the name on, and two clients with the same
 * name for different statements would get the results of each other.
 */
async function carriesPrepared(client: pg.Client, name: string): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query({ name, text: 'select 1' });
    const { rows } = await client.query<{ passed: boolean }>(
      `select exists (select from pg_prepared_statements where name = '${name}') as passed`,
    );
    const { passed } = rows[0]!;
    if (passed) await client.query(`deallocate "${name}"`);
    return !passed;
  } finally {
    await client.query('commit');
  }
}
