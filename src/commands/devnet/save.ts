import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from '../../db/client.ts';
import { UsageError } from '../../errors.ts';
import { exportEvents } from '../export.ts';
import type { ProgressOptions } from '../progress.ts';

type State = { snapshot: string; blocks: object[] };

/** Writes the state of a running devnet and its event log to a folder, from which `CAIRN_DEVNET_FROM` continues. */
export async function saveDevnet(
  sql: Pool,
  url: string,
  folder: string,
  shown: Pick<ProgressOptions, 'out'> = {},
): Promise<{ events: number }> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new UsageError(`the folder ${folder} cannot be created: ${error.message}`, { cause: error });
  });
  const call = async <T>(method: 'GET' | 'POST', path: string): Promise<T> => {
    const response = await fetch(`${url}/devnet${path}`, { method });
    if (response.status !== 200) throw new UsageError(`the devnet at ${url} refused ${path}: ${response.status}`);
    return (await response.json()) as T;
  };
  const { block_seconds: seconds } = await call<{ block_seconds: number | null }>('GET', '');
  // The log and the state must be of the same block.
  await call('POST', '/stop');
  try {
    const { snapshot, blocks } = await call<State>('GET', '/state');
    await writeFile(join(folder, 'devnet.json'), snapshot, { mode: 0o600 });
    await writeFile(join(folder, 'devnet.json.blocks'), blocks.map(block => `${JSON.stringify(block)}\n`).join(''), {
      mode: 0o600,
    });
    return { events: await exportEvents(sql, join(folder, 'events.tsv.gz'), { from: 1n }, shown) };
  } finally {
    if (seconds !== null) await call('POST', '/start');
  }
}
