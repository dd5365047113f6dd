import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export const usage = {
  options: '[--histories N]',
  about: 'Many more generated histories than in CI, compared with their models.',
};

export async function run(args: string[]): Promise<Record<string, number>> {
  const { values } = parseArgs({
    args,
    options: { histories: { type: 'string', default: '1000' } },
    allowPositionals: true,
  });
  const started = performance.now();
  const code = await new Promise<number>(resolve => {
    const files = ['test/model/history.test.ts', 'test/ingest/mempool.test.ts'];
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files], {
      cwd: root,
      env: { ...process.env, HISTORIES: values.histories, HISTORY_MINUTES: '60' },
      stdio: ['ignore', 2, 2],
    });
    child.once('exit', status => resolve(status ?? 1));
  });
  return {
    histories: Number(values.histories),
    failed: code,
    seconds: Math.round((performance.now() - started) / 1000),
  };
}
