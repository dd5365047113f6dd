import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Message, messageText } from '@cairn-stacks/devnet/chain/message-text';
import { beforeAll, expect, test } from 'vitest';
import { testChain } from './support/chain.ts';
import { build, startService } from './support/running-service.ts';
import { until } from './support/service.ts';

type Ending = { onTestFinished(work: () => void | Promise<void>): void };

const settings = { CAIRN_NETWORK: 'testnet', CAIRN_DEVNET: 'off' };

beforeAll(build);

const bodyOf = (message: Message) => Buffer.from(messageText(message.body));

const post = async (observer: string, path: string, body: Buffer) => {
  const response = await fetch(`http://${observer}${path}`, { method: 'POST', body: new Uint8Array(body) });
  return { status: response.status, text: await response.text() };
};

const readJson = async (url: URL | string) => {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const isSuspended = async (metrics: string) =>
  /^cairn_ingest_suspended (\d)$/m.exec(await (await fetch(metrics)).text())?.[1] === '1';

test('a disk with less than the reserve takes no events from the start on, and the service says so', async t => {
  const { addresses } = await startService(t, { ...settings, CAIRN_DISK_RESERVE: String(2 ** 50) });
  const refused = await post(addresses.observer!, '/new_block', bodyOf(testChain({ seed: 71 }).genesis));
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('CAIRN_DISK_RESERVE')]);
  for (const door of [`${addresses.api}/readyz`, new URL('/readyz', addresses.metrics)]) {
    expect((await readJson(door)).body.warnings).toEqual([expect.stringMatching(/^ingest is suspended: the disk/)]);
  }
  const { status, body } = await readJson(`${addresses.api}/extended/v1/status/ingest`);
  expect([status, body.suspended, body.logged]).toEqual([200, expect.stringMatching(/^ingest is suspended/), 0]);
  expect(await isSuspended(addresses.metrics!)).toBe(true);
});

/** A disk of some megabytes; undefined where this user cannot mount one. */
function mountDisk(t: Ending, megabytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-small-disk-'));
  chmodSync(folder, 0o755);
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  t.onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

test('a small disk is not filled: reads go on, and ingest does once there is space', async t => {
  const disk = mountDisk(t, 500);
  if (disk === undefined) return t.skip('only root can mount a small disk');
  const own = { ...settings, CAIRN_DATA_DIR: join(disk, 'data'), CAIRN_DISK_RESERVE: '150000000' };
  const { addresses } = await startService(t, own);
  const { api, observer } = addresses;
  const chain = testChain({ seed: 72 });
  const hasBlock = async (height: number) => (await fetch(`${api}/extended/v2/blocks/${height}`)).status === 200;
  const first = chain.mine();
  for (const block of [chain.genesis, first]) {
    expect((await post(observer!, block.path, bodyOf(block))).status).toBe(200);
  }
  await until(() => hasBlock(1));
  // A file of another program, which leaves less than the reserve.
  const ballast = join(disk, 'ballast');
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - 100_000_000));
  await until(() => isSuspended(addresses.metrics!));
  const next = chain.mine(first);
  await until(async () => (await post(observer!, next.path, bodyOf(next))).status === 503);
  expect(await hasBlock(1)).toBe(true);
  const { status, body } = await readJson(`${api}/readyz`);
  expect([status, body.warnings]).toEqual([200, [expect.stringMatching(/^ingest is suspended/)]]);
  rmSync(ballast);
  await until(async () => (await post(observer!, next.path, bodyOf(next))).status === 200);
  await until(() => hasBlock(2));
  expect(await isSuspended(addresses.metrics!)).toBe(false);
});
