import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../../bench/support/free-port.ts';
import { isInstalled } from '../support/installed.ts';
import { build, startService } from '../support/running-service.ts';
import { until } from '../support/service.ts';

const run = promisify(execFile);
const files = fileURLToPath(new URL('../../packaging/rosetta-cli/', import.meta.url));

type Ending = { onTestFinished(work: () => Promise<void> | void): void };
type Config = { data: object; construction: object; online_url: string; data_directory: string };

beforeAll(build);

/** A devnet that mines fast, and the tool with the project's configuration in a folder of its own. */
async function open(t: Ending) {
  const node = await freePort();
  const service = await startService(t, { CAIRN_DEVNET_PORT: String(node), CAIRN_DEVNET_BLOCK_SECONDS: '1' });
  const folder = mkdtempSync(join(tmpdir(), 'cairn-rosetta-cli-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = JSON.parse(readFileSync(`${files}config.json`, 'utf8')) as Config;
  const check = async (command: 'data' | 'construction', settings: Partial<Config> = {}) => {
    const url = `${service.addresses.api}/rosetta/v1`;
    const places = { online_url: url, data_directory: join(folder, command) };
    const own = {
      ...config,
      ...places,
      data: { ...config.data, status_port: await freePort() },
      construction: { ...config.construction, offline_url: url, status_port: await freePort() },
      ...settings,
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(own));
    copyFileSync(`${files}stacks.ros`, join(folder, 'stacks.ros'));
    const results = join(folder, `${command}.json`);
    const args = [`check:${command}`, '--configuration-file', 'config.json', '--result-file', results];
    try {
      await run('rosetta-cli', args, { cwd: folder, maxBuffer: 1 << 26 });
    } catch (error) {
      // A result tells what the tool found wrong; what it printed is long.
      throw new Error(String((error as { stderr?: string }).stderr).slice(-2_000));
    }
    return JSON.parse(readFileSync(results, 'utf8')) as Record<string, unknown>;
  };
  const fork = async (count: number) => {
    const { ok, status } = await fetch(`http://127.0.0.1:${node}/devnet/fork?count=${count}`, { method: 'POST' });
    expect([ok, status]).toEqual([true, 200]);
  };
  /** 0 while the server has just started and says 503. */
  const height = async () => {
    const response = await fetch(`${service.addresses.api}/extended`);
    const { chain_tip } = (await response.json()) as { chain_tip?: { block_height: number } };
    return chain_tip?.block_height ?? 0;
  };
  return { check, fork, height, data: config.data };
}

test('rosetta-cli finds a transfer, a deploy and a call that it has made in blocks', async t => {
  t.skip(!isInstalled('rosetta-cli'), 'rosetta-cli is not installed');
  const { check, height } = await open(t);
  await until(async () => (await height()) > 1);
  const { end_conditions: made } = await check('construction');
  expect(made).toMatchObject({ transfer: 3, contract_deploy: 1, contract_call: 1 });
});

test('rosetta-cli finds every balance equal to the sum of operations, across forks', async t => {
  t.skip(!isInstalled('rosetta-cli'), 'rosetta-cli is not installed');
  const { check, fork, height, data } = await open(t);
  await until(async () => (await height()) > 5);
  const end = (await height()) + 30;
  const checked = check('data', {
    data: { ...data, status_port: await freePort(), end_conditions: { index: end } },
  });
  for (const count of [1, 3, 6]) {
    const before = await height();
    await until(async () => (await height()) > before + 2);
    await fork(count);
  }
  const { tests, stats } = (await checked) as { tests: object; stats: Record<string, number> };
  expect(tests).toMatchObject({ request_response: true, response_assertion: true, block_syncing: true });
  expect(tests).toMatchObject({ balance_tracking: true, reconciliation: true });
  expect(stats).toMatchObject({ failed_reconciliations: 0 });
  expect(stats.orphans).toBeGreaterThan(0);
});
