import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export const usage = {
  options: '[--histories N] [--seed N]',
  about: 'The property tests on many more generated histories than CI has time for; the seed is random unless given.',
};

const files = [
  'test/model/history.test.ts',
  'test/model/cached-lists.test.ts',
  'test/ingest/mempool.test.ts',
  'test/ingest/crash.long.test.ts',
  'test/devnet/history.test.ts',
  'test/devnet/name-owners.test.ts',
];

export async function run(args: string[]): Promise<Record<string, number>> {
  const { values } = parseArgs({
    args,
    options: {
      histories: { type: 'string', default: '1000' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    },
    allowPositionals: true,
  });
  const started = performance.now();
  const code = await new Promise<number>(resolve => {
    const child = spawn(process.execPath, ['scripts/run.mjs', 'test', ...files], {
      cwd: root,
      env: {
        ...process.env,
        HISTORIES: values.histories,
        HISTORY_SEED: values.seed,
        DEVNET_HISTORIES: values.histories,
      },
      stdio: ['ignore', 2, 2],
    });
    child.once('exit', status => resolve(status ?? 1));
  });
  return {
    histories: Number(values.histories),
    seed: Number(values.seed),
    failed: code,
    seconds: Math.round((performance.now() - started) / 1000),
  };
}
