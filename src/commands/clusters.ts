import { describeLeftover, folderBytes, listClusters, removeCluster } from '../db/embedded/cluster-list.ts';
import { defaultFallbackDirs } from '../db/embedded/server-dir.ts';
import type { Command } from './command.ts';

export const command: Command = {
  usage: '',
  flags: {
    remove: {
      type: 'string',
      value: 'ID',
      about:
        'Remove this database (its id or its folder) with all its content; not possible while a data folder uses it.',
    },
  },
  positionals: { min: 0, max: 0 },
  run: async ({ flags }) =>
    await clusters(flags.remove, defaultFallbackDirs, text => process.stdout.write(`${text}\n`)),
};

/** Lists the embedded databases outside data folders, or removes one of them. */
export async function clusters(
  remove: unknown,
  fallbackDirs: string[],
  print: (text: string) => unknown,
): Promise<number> {
  if (typeof remove === 'string') {
    const { id, folder } = await removeCluster(remove, fallbackDirs);
    print(`removed the database ${id} and its folder ${folder}`);
    return 0;
  }
  const found = listClusters(fallbackDirs);
  if (found.length === 0) print(`there is no database outside a data folder (looked in ${fallbackDirs.join(', ')})`);
  for (const cluster of found) {
    const megabytes = Math.ceil(folderBytes(cluster.folder) / 1e6);
    const used = cluster.running ? 'running' : `last used ${cluster.lastUse.toISOString()}`;
    print(`${cluster.id}  ${cluster.state}  ${megabytes} MB  ${used}  ${cluster.folder}  of ${cluster.dataDir ?? '?'}`);
  }
  for (const cluster of found.filter(({ state }) => state === 'leftover')) print(describeLeftover(cluster));
  return 0;
}
