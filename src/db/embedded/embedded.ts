import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { canUse } from './account.ts';
import { findPackage, prepareBinaries } from './binaries.ts';
import { openCluster } from './cluster.ts';
import { describeLeftover, listClusters, removeUnfinished } from './cluster-list.ts';
import { createFolder } from './files.ts';
import { withLock } from './lock.ts';
import { boundLog } from './log-file.ts';
import { joinServer, launchServer, logFile, type Plan, role, shutDown } from './run.ts';
import { defaultFallbackDirs, openFallbackDir, openServerDir } from './server-dir.ts';
import { renderSettings, serverSettings } from './settings.ts';
import { liveUsers, register } from './users.ts';

export type EmbeddedOptions = {
  /** Folder of the database; created if missing. */
  dataDir: string;
  /** Also listen on this port of 127.0.0.1; by default only on a unix socket. */
  port?: number;
  /** The URL of an earlier start that clients still use; the server listens there again. */
  at?: string;
  /** False: listen only on 127.0.0.1, for systems without unix sockets. */
  sockets?: boolean;
  log?: (message: string) => void;
  /** Additional server settings. */
  settings?: Record<string, string>;
  /** Folders for the cluster if the server's user cannot access the data folder. */
  fallbackDirs?: string[];
  /** Time limit of a graceful stop; then the server is stopped immediately. */
  stopTimeoutMs?: number;
};

export type Embedded = {
  url: string;
  /** Folder of the server's files. */
  folder: string;
  stop(): Promise<void>;
};

/** Long enough for the crash recovery of another process. */
const lockTimeoutMs = 6 * 60_000;

/** Starts PostgreSQL in the data folder, or joins the one that already runs there; the last user to stop stops it. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = openDataFolder(options.dataDir);
  const lock = join(dataDir, 'postgres.lock');
  return await withLock(lock, lockTimeoutMs, async () => {
    const plan = await prepare(dataDir, options);
    const server = (await joinServer(plan, liveUsers(dataDir) > 0)) ?? (await launchServer(plan));
    const unregister = register(dataDir);
    const endLog = boundLog(logFile(plan.serverDir));
    const release = async () => {
      unregister();
      if (liveUsers(dataDir) > 0) return;
      await shutDown(plan.serverDir, server.identity, options.stopTimeoutMs ?? 10_000);
      if (!existsSync(dataDir)) tellLeftovers(plan.fallbackDirs, plan.log, plan.serverDir.directory);
    };
    const stop = async () => {
      endLog();
      try {
        await withLock(lock, lockTimeoutMs, release);
      } catch (error) {
        if (existsSync(dataDir)) throw error;
        await release(); // the data folder was removed under us, and its lock with it
      }
    };
    let stopping: Promise<void> | undefined;
    return {
      url: server.url,
      folder: plan.serverDir.directory,
      stop: () => {
        stopping ??= stop();
        return stopping;
      },
    };
  });
}

function openDataFolder(path: string): string {
  try {
    createFolder(path);
    return realpathSync(path);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new UsageError(
      `the data folder ${path} cannot be created (${code ?? message}): set CAIRN_DATA_DIR to a folder that you may write`,
      { cause },
    );
  }
}

/** Finds the binaries and the cluster, creating what is missing. */
async function prepare(dataDir: string, options: EmbeddedOptions): Promise<Plan> {
  const log = options.log ?? (() => {});
  const fallbackDirs = options.fallbackDirs ?? defaultFallbackDirs;
  const found = findPackage();
  const serverDir = openServerDir(dataDir, fallbackDirs);
  if (serverDir.account) {
    for (const folder of removeUnfinished(fallbackDirs)) log(`removed ${folder}: no database was ever finished in it`);
    tellLeftovers(fallbackDirs, log);
  }
  const binaries = prepareBinaries(found, serverDir.account, () =>
    canUse(serverDir.account, 'x', dataDir) ? dataDir : openFallbackDir(fallbackDirs, serverDir.account),
  );
  const password = await openCluster(dataDir, serverDir, binaries, role, options.settings?.fsync !== 'off');
  return {
    serverDir,
    binary: join(binaries.directory, 'bin', 'postgres'),
    settings: renderSettings({ ...serverSettings(), ...options.settings }),
    password,
    port: options.port,
    at: options.at,
    sockets: options.sockets ?? true,
    fallbackDirs,
    log,
  };
}

/** Only a command deletes data: a start or a stop logs the leftovers and the command. */
function tellLeftovers(fallbackDirs: string[], log: (message: string) => void, only?: string): void {
  const leftovers = listClusters(fallbackDirs).filter(
    ({ state, folder }) => state === 'leftover' && (only ?? folder) === folder,
  );
  const [first] = leftovers;
  if (leftovers.length > 1) {
    log(
      `${leftovers.length} databases belong to no data folder: \`cairn clusters\` lists them and says how to remove them`,
    );
  } else if (first) log(describeLeftover(first));
}
