import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The smallest size of each bench: the figures say nothing, but the bench must still run. */
const smallest: Record<string, string[]> = {
  api: ['--blocks', '40', '--only', 'bare'],
  capacity: ['--blocks', '40', '--processes', '1', '--requests', '200'],
  cluster: ['--rate', '20', '--only', 'api process killed'],
  codec: [],
  faults: ['--faults', '1', '--minutes', '1'],
  growth: ['--blocks', '30,60', '--principals', '200', '--processors', '1', '--accounts', '300', '--faults', 'small'],
  histories: ['--histories', '1', '--seed', '1'],
  ingest: ['--blocks', '50,100', '--only', 'bulk'],
  metadata: ['--blocks', '20', '--rounds', '1', '--tokens', '5'],
  points: ['--blocks', '40', '--count', '50', '--only', 'tx_one_event,extended,path,not_modified,cached'],
  proxy: ['--rounds', '1'],
  realtime: ['--passes', '1'],
  snapshot: ['--blocks', '50'],
  soak: ['--minutes', '0.5'],
};

/** Milliseconds after which a bench is told to end. */
const timeout = 8 * 60_000;

const benches = readdirSync(join(root, 'bench'))
  .filter(file => file.endsWith('.ts'))
  .map(file => file.slice(0, -'.ts'.length));

test('every bench has a smallest size', () => {
  expect(Object.keys(smallest).sort()).toEqual(benches.sort());
});

test.for(Object.entries(smallest))(
  '%s runs at its smallest size and closes with its figures',
  { timeout: timeout + 60_000 },
  async ([name, options], { skip }) => {
    skip(Date.now() > Number(process.env.CAIRN_TEST_END ?? Number.POSITIVE_INFINITY), 'the time box had ended');
    const out = await new Promise<string>((resolve, reject) => {
      const env = { ...process.env, VITEST: '', NODE_OPTIONS: '', CAIRN_TEST_END: '' };
      const args = ['scripts/run.mjs', 'bench', name, ...options, '--json'];
      execFile(process.execPath, args, { cwd: root, env, maxBuffer: 1e8, timeout }, (error, stdout, stderr) =>
        error ? reject(new Error(`${args.join(' ')}\n${stderr.slice(-4000)}`)) : resolve(stdout),
      );
    });
    const figures = JSON.parse(out.trimEnd().split('\n').at(-1)!) as Record<string, unknown>;
    expect(Object.keys(figures).length).toBeGreaterThan(0);
    expect(Object.values(figures).filter(value => typeof value !== 'number' || !Number.isFinite(value))).toEqual([]);
  },
);
