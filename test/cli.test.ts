import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { printedBy } from './support/printed.ts';
import { build } from './support/running-service.ts';
import { until } from './support/service.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'dist', 'main.js');

type Result = { code: number | null; out: string; err: string };

function cairn(args: string[], env: Record<string, string> = {}): Promise<Result> {
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { env: { PATH: process.env.PATH, ...env }, maxBuffer: 16 << 20 },
      (_, out, err) => resolve({ code: child.exitCode, out, err }),
    );
  });
}

beforeAll(build);

test('help and version are printed, for each command too', async () => {
  expect((await cairn(['--version'])).out).toMatch(/^cairn \d+\.\d+\.\d+\n$/);
  const { out, code } = await cairn(['--help']);
  expect(code).toBe(0);
  const names = [...out.matchAll(/^ {2}([\w-]+) /gm)].map(match => match[1]!);
  expect(names).toEqual(expect.arrayContaining(['start', 'replay', 'skip', 'openapi', 'settings']));
  expect((await cairn(['skip', '--help'])).out).toBe(await printedBy('skip', '--help'));
  for (const name of names) expect((await printedBy(name, '--help')).split('\n')[0]).toContain(`usage: cairn ${name}`);
});

test.each([
  [['nope'], {}, 'cairn: nope is not a command: expected one of start'],
  [['toString'], {}, 'cairn: toString is not a command'],
  [['--nope'], {}, "cairn: cairn start: Unknown option '--nope'; see cairn start --help"],
  [['start', 'now'], {}, 'cairn: cairn start expects no arguments'],
  [['skip'], {}, 'cairn: cairn skip expects EVENT_ID'],
  [['skip', 'x', '--reason', 'y'], {}, 'cairn: x is not an event id'],
  [['verify', '--sample', 'many'], {}, 'cairn: --sample is a number of accounts, at least 1'],
  [['skip', '5'], {}, 'cairn: cairn skip needs --reason TEXT'],
  [['quarantine', '--again', 'x'], {}, 'cairn: --again expects a number'],
  [['start'], { CAIRN_API_PORT: 'x' }, 'cairn: CAIRN_API_PORT=x is not understood: expected a port'],
  [['start'], { CAIRN_ROLE: 'api', CAIRN_METRICS_PORT: '0' }, 'cairn: CAIRN_ROLE=api reads the database of another'],
  [['start'], { CAIRN_NETWORK: 'nonet' }, 'cairn: CAIRN_NETWORK=nonet is not understood: expected mainnet'],
  [
    ['start'],
    { CAIRN_DATA_DIR: '/dev/null/data', CAIRN_API_PORT: '0', CAIRN_METRICS_PORT: '0' },
    'cairn: the data folder /dev/null/data cannot be created (ENOTDIR): set CAIRN_DATA_DIR to a folder that you may write',
  ],
  [
    ['devnet'],
    { CAIRN_DEVNET_ACCOUNTS: `${'abandon '.repeat(11)}zoo` },
    'cairn: CAIRN_DEVNET_ACCOUNTS: not a BIP-39 mnemonic',
  ],
])('cairn %j with %o is refused in one line, code 2', async (args, env, line) => {
  const { code, err } = await cairn(args, env as Record<string, string>);
  expect(err).toContain(line);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(2);
});

test('a port that is in use is named, with the setting for another one', async t => {
  const taken = createServer();
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const { code, err } = await cairn(['start'], { CAIRN_API_PORT: String(port), CAIRN_METRICS_PORT: '0' });
  expect([code, err]).toEqual([2, `cairn: 127.0.0.1:${port} is already in use: set CAIRN_API_PORT to another port\n`]);
});

test('a setting of the incumbent without effect is named at the start, its value never', async () => {
  const refused = { CAIRN_ROLE: 'api', CAIRN_METRICS_PORT: '0' };
  const { out } = await cairn(['start'], { ...refused, REDIS_URL: 'redis://me:secret@host', PG_IDLE_TIMEOUT: '30' });
  const lines = out.split('\n').filter(line => line.includes('has no effect'));
  expect(lines.map(line => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, msg: expect.stringContaining('REDIS_URL has no effect: Redis is not used') }),
    expect.objectContaining({ level: 30, msg: expect.stringContaining('PG_IDLE_TIMEOUT has no effect') }),
  ]);
  expect(out).not.toContain('secret');
});

test('the OpenAPI document and the settings need no database', async () => {
  expect(JSON.parse((await cairn(['openapi'])).out).openapi).toBe('3.1.0');
  expect((await cairn(['settings', '--markdown'])).out).toContain('| `CAIRN_API_PORT` | `3999` |');
  expect((await cairn(['settings'])).out).toContain('CAIRN_NODES');
});

test('start answers, tells where, stops on SIGTERM, and refuses the database of another network', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-cli-'));
  chmodSync(dataDir, 0o755);
  t.onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const ports = { CAIRN_API_PORT: '0', CAIRN_OBSERVER_PORT: '0', CAIRN_METRICS_PORT: '0' };
  const env = { PATH: process.env.PATH, CAIRN_DATA_DIR: dataDir, CAIRN_NETWORK: 'testnet', ...ports };
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  const ready = new Promise<{ api: string; metrics: string }>(resolve => {
    child.stdout.on('data', chunk => {
      log += chunk;
      const line = log.split('\n').find(text => text.includes('"ready on '));
      if (line) resolve(JSON.parse(line));
    });
  });
  const { api, metrics } = await ready;
  // On a busy machine the database may be slow at first: that is a 503 for a moment.
  await until(async () => (await fetch(`${api}/extended`)).status === 200);
  const page = await (await fetch(metrics)).text();
  for (const name of ['cairn_fold_lag_seconds', 'cairn_log_head', 'http_request_duration_seconds', 'process_cpu']) {
    expect(page).toContain(name);
  }
  expect((await fetch(`${api}/metrics`)).status).toBe(404);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(existsSync(dataDir)).toBe(true);
  const other = await cairn(['start'], { ...ports, CAIRN_DATA_DIR: dataDir, CAIRN_NETWORK: 'mainnet' });
  expect(other.code).toBe(2);
  expect(other.err).toContain('cairn: this database holds testnet (chain id 0x80000000), but CAIRN_NETWORK is');
});
