import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { killServer, serverIdentity } from './server.ts';
import { listServerDirs, readOwner, readServerId } from './server-dir.ts';

/** A database outside its data folder. */
export type ListedCluster = {
  id: string;
  folder: string;
  /** The data folder that used it last. */
  dataDir: string | undefined;
  /** `named`: its data folder names it. `leftover`: that folder was moved, removed or is not mounted. */
  state: 'named' | 'leftover';
  running: boolean;
  lastUse: Date;
};

/** Grace period: a start may be creating a database. */
const graceMs = 10 * 60_000;

/** The databases in the fallback folders; those without data are left out. */
export function listClusters(fallbackDirs: string[]): ListedCluster[] {
  return listServerDirs(fallbackDirs)
    .filter(isFinished)
    .map(folder => {
      const owner = readOwner(folder);
      return {
        id: readServerId(folder) ?? folder,
        folder,
        dataDir: owner?.dataDir,
        state: owner?.names ? 'named' : 'leftover',
        running: serverIdentity(join(folder, 'cluster')) !== undefined,
        lastUse: lastUse(folder),
      };
    });
}

/** The log line about a leftover. */
export const describeLeftover = ({ id, folder, dataDir }: Pick<ListedCluster, 'id' | 'folder' | 'dataDir'>): string =>
  `the database in ${folder} belongs to no data folder (the last was ${dataDir ?? 'unknown'}): ` +
  `a moved data folder finds it again when it is started; \`cairn clusters --remove ${id}\` removes it`;

/** Deletes a leftover, by its id or its folder, and stops a server that still runs on it. */
export async function removeCluster(which: string, fallbackDirs: string[]): Promise<ListedCluster> {
  const found = listClusters(fallbackDirs).filter(({ id, folder }) => id === which || folder === which);
  const [cluster] = found;
  if (!cluster) {
    throw new UsageError(
      `there is no database with the id ${which} in ${fallbackDirs.join(' or ')}: see cairn clusters`,
    );
  }
  if (found.length > 1) {
    throw new UsageError(`${found.map(({ folder }) => folder).join(' and ')} have the id ${which}: name the folder`);
  }
  if (cluster.state === 'named') {
    throw new UsageError(
      `the database ${which} belongs to the data folder ${cluster.dataDir}: remove that folder first`,
    );
  }
  await killServer(join(cluster.folder, 'cluster'));
  rmSync(cluster.folder, { recursive: true, force: true });
  return cluster;
}

/** Deletes the remains of an interrupted first start, which contain no data. */
export function removeUnfinished(fallbackDirs: string[], now = Date.now()): string[] {
  const unfinished = listServerDirs(fallbackDirs).filter(
    folder => !isFinished(folder) && now - statSync(folder).mtimeMs > graceMs,
  );
  for (const folder of unfinished) rmSync(folder, { recursive: true, force: true });
  return unfinished;
}

/** Bytes of all files below a folder. */
export function folderBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const stat = lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    bytes += stat?.size ?? 0;
  }
  return bytes;
}

/** A cluster gets its name only when it is complete. */
const isFinished = (folder: string) => existsSync(join(folder, 'cluster'));

/** The control file is written at each checkpoint and at shutdown. */
function lastUse(folder: string): Date {
  const control = join(folder, 'cluster', 'global', 'pg_control');
  return statSync(existsSync(control) ? control : folder).mtime;
}
