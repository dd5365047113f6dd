import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, withDatabase } from '../client.ts';
import { writeOwned } from './cluster.ts';
import { isAlive } from './lock.ts';
import { logSize, logTail } from './log-file.ts';
import { type Postmaster, readPostmaster, serverIdentity, spawnServer, stopServer } from './server.ts';
import type { ServerDir } from './server-dir.ts';
import { removeSockets, socketFolder } from './socket.ts';

/** Inputs of a start. */
export type Plan = {
  serverDir: ServerDir;
  binary: string;
  /** Text of the configuration file. */
  settings: string;
  password: string;
  /** Additional port of 127.0.0.1. */
  port: number | undefined;
  /** The URL of an earlier start that clients still use. */
  at: string | undefined;
  sockets: boolean;
  /** Folders for databases that cannot be in their data folder. */
  fallbackDirs: string[];
  log: (message: string) => void;
};

/** A running server that responds. */
export type Running = { identity: string; url: string };

export const role = 'cairn';
const database = 'cairn';

/** Crash recovery of a large write-ahead log can take long. */
const recoveryTimeoutMs = 5 * 60_000;

/** A server that reports to be ready and does not respond for this long is faulty; on a busy machine the first response is slow. */
const responseTimeoutMs = 10_000;
/** How long a server that nobody uses may be silent: it can be replaced. */
const leftResponseTimeoutMs = 3_000;

/** Processes of a server that was just killed hold its shared memory for a moment. */
const leftoverTimeoutMs = 15_000;

/** The server that already runs on this cluster, left by a killed process or shared with a running one. */
export async function joinServer(plan: Plan, hasUsers: boolean): Promise<Running | undefined> {
  const identity = serverIdentity(plan.serverDir.cluster);
  if (identity === undefined) return undefined;
  if (hasUsers || isSame(plan)) {
    const url = await waitUntilReady(plan, identity, hasUsers ? responseTimeoutMs : leftResponseTimeoutMs);
    if (url !== undefined) return { identity, url };
    if (!isAlive(identity)) return undefined; // it ended meanwhile, whoever used it
    if (hasUsers)
      throw new Error(`PostgreSQL in ${plan.serverDir.directory} is used by another process and does not respond`);
  }
  plan.log('stopping the PostgreSQL server that an earlier run left behind');
  await shutDown(plan.serverDir, identity, 3_000);
  return undefined;
}

/** Starts the server and waits until it responds. */
export async function launchServer(plan: Plan): Promise<Running> {
  const deadline = Date.now() + leftoverTimeoutMs;
  removeSockets(readPostmaster(plan.serverDir.cluster)?.socketFolder, plan.serverDir.directory);
  writeOwned(settingsFile(plan.serverDir), plan.settings, plan.serverDir);
  const args = await listenArguments(plan);
  for (;;) {
    const logged = logSize(logFile(plan.serverDir));
    const identity = spawnServer(
      plan.binary,
      plan.serverDir.cluster,
      args,
      logFile(plan.serverDir),
      plan.serverDir.account,
    );
    const url = await waitUntilReady(plan, identity);
    if (url !== undefined) return { identity, url };
    if (isAlive(identity)) await stopServer(identity, 0);
    const said = logTail(logFile(plan.serverDir), logged);
    const leftover = /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(said);
    if (!leftover || Date.now() > deadline) throw new Error(`PostgreSQL did not start: ${said || 'no output'}`);
    await sleep(100);
  }
}

/** Stops the server and removes its files outside its server folder. */
export async function shutDown(serverDir: ServerDir, identity: string, timeoutMs: number): Promise<void> {
  const folder = readPostmaster(serverDir.cluster)?.socketFolder;
  await stopServer(identity, timeoutMs);
  removeSockets(folder, serverDir.directory);
}

export const logFile = (serverDir: ServerDir) => join(serverDir.directory, 'server.log');

const settingsFile = (serverDir: ServerDir) => join(serverDir.cluster, 'cairn.conf');

/** True if the running server has the present installation: a removed one can no longer load its libraries. */
function isSame(plan: Plan): boolean {
  const started = join(plan.serverDir.cluster, 'postmaster.opts');
  return (
    existsSync(started) &&
    readFileSync(started, 'utf8').startsWith(`${plan.binary} `) &&
    existsSync(plan.binary) &&
    existsSync(settingsFile(plan.serverDir)) &&
    readFileSync(settingsFile(plan.serverDir), 'utf8') === plan.settings &&
    (plan.port === undefined || readPostmaster(plan.serverDir.cluster)?.port === plan.port)
  );
}

/** The URL of the server once it responds; undefined if it ends or does not respond. */
async function waitUntilReady(
  plan: Plan,
  identity: string,
  timeoutMs = responseTimeoutMs,
): Promise<string | undefined> {
  const deadline = Date.now() + recoveryTimeoutMs;
  const pid = Number.parseInt(identity, 10);
  let readySince: number | undefined;
  while (isAlive(identity) && Date.now() < deadline) {
    const postmaster = readPostmaster(plan.serverDir.cluster);
    if (postmaster?.pid === pid && postmaster.status === 'ready') {
      readySince ??= Date.now();
      const url = serverUrl(postmaster, plan.password);
      if (await responds(url, plan.serverDir.cluster)) return url;
      if (Date.now() - readySince > timeoutMs) return undefined;
    }
    await sleep(10);
  }
  return undefined;
}

/** Checks the identity of the server, and creates the database the first time. */
async function responds(url: string, cluster: string): Promise<boolean> {
  const sql = connect(withDatabase(url, 'postgres'), { max: 1, name: 'cairn start', connectTimeoutSeconds: 2 });
  try {
    const [row] = await sql<{ directory: string; created: boolean }[]>`
      select
        current_setting('data_directory') as directory,
        exists (select from pg_database where datname = ${database}) as created
    `;
    if (row?.directory !== cluster) return false;
    if (!row.created) await sql`create database ${sql(database)}`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function serverUrl({ socketFolder, port, listen }: Postmaster, password: string): string {
  const host = socketFolder === '' ? listen : encodeURIComponent(socketFolder);
  return `postgres://${role}:${password}@${host}:${port}/${database}`;
}

/** A unix socket for the server's user and root only; 127.0.0.1 instead or in addition. */
async function listenArguments({ serverDir, port, at, sockets }: Plan): Promise<string[]> {
  const before = at === undefined ? undefined : new URL(at);
  const last = before && decodeURIComponent(before.hostname);
  const folder = sockets ? await socketFolder(serverDir.directory, serverDir.account, last) : undefined;
  const tcp = port !== undefined || folder === undefined;
  const freely = async () => (before && last === '127.0.0.1' ? Number(before.port) : await freePort());
  const settings = {
    unix_socket_directories: folder === undefined ? '' : `"${folder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    listen_addresses: tcp ? '127.0.0.1' : '',
    port: String(port ?? (folder === undefined ? await freely() : 5432)),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
