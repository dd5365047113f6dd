import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { devnetForFile, loadEntry } from '../support/sdk.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const devnet = devnetForFile();
const mnemonic = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

const cairn = (...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>(resolve => {
    const child = execFile(process.execPath, ['dist/main.js', ...args], { cwd: root }, (_, out, err) =>
      resolve({ code: child.exitCode ?? 1, out, err }),
    );
  });

test('the package has an entry for tests, with its types', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, { types: string; default: string }>;
  };
  for (const file of Object.values(exports['./devnet']!))
    expect([file, existsSync(join(root, file))]).toEqual([file, true]);
});

test('commands of the command line reach a running devnet, and the index follows', async () => {
  const { height } = await devnet.caughtUp();
  const mined = await cairn('devnet', 'mine', '2', '--url', devnet.nodeUrl);
  expect([mined.code, JSON.parse(mined.out).height]).toEqual([0, height + 2]);
  await devnet.caughtUp();
  expect(await devnet.get('/extended')).toMatchObject({ chain_tip: { block_height: height + 2 } });
  expect(await cairn('devnet', 'burn-height', '--url', devnet.nodeUrl)).toMatchObject({
    code: 2,
    err: 'cairn: cairn devnet burn-height expects HEIGHT\n',
  });
  expect(await cairn('devnet', 'dance')).toMatchObject({ code: 2, err: expect.stringContaining('is not a command') });
  expect(await cairn('devnet', 'status', '--url', 'http://127.0.0.1:9')).toMatchObject({
    code: 2,
    err: expect.stringContaining('no devnet responds at http://127.0.0.1:9: start it with'),
  });
});

test('a reset shows the API of before, and a fork another branch', async () => {
  const before = await devnet.snapshot('here');
  const { index_block_hash: first } = await devnet.mine(3);
  const { index_block_hash: second, height } = await devnet.fork(2);
  expect([second === first, height]).toEqual([false, before.height + 4]);
  expect(await devnet.reset('here')).toMatchObject({
    height: before.height,
    index_block_hash: before.index_block_hash,
  });
  expect(await devnet.get('/extended')).toMatchObject({ chain_tip: { index_block_hash: before.index_block_hash } });
});

test('a saved chain continues in another devnet, with accounts of the caller', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-saved-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { startDevnet } = await loadEntry();
  const one = await startDevnet({ accounts: [mnemonic] });
  t.onTestFinished(() => one.stop());
  const own = one.account('own_0').address;
  const { height, index_block_hash: tip } = await one.mine(2);
  const written = vi.spyOn(process.stderr, 'write');
  await one.save(folder);
  expect(written).not.toHaveBeenCalled();
  written.mockRestore();
  const other = await startDevnet({ from: folder });
  t.onTestFinished(() => other.stop());
  const read = async (path: string) => (await (await fetch(`${other.url}${path}`)).json()) as Record<string, unknown>;
  expect(await other.caughtUp()).toMatchObject({ height, index_block_hash: tip });
  expect(await read(`/extended/v1/address/${own}/stx`)).toMatchObject({ balance: '100000000000000' });
  expect(await other.mine()).toMatchObject({ height: height + 1 });
  expect(await read(`/extended/v2/blocks/${height + 1}`)).toMatchObject({ parent_index_block_hash: tip });
});
