import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { broadcastTransaction, makeContractDeploy } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { patternOf } from './support/printed-pattern.ts';
import { devnetForFile } from './support/sdk.ts';

const script = fileURLToPath(new URL('../examples/first-steps.mjs', import.meta.url));
const devnet = devnetForFile({ blockSeconds: 1 });

type Result = { code: number | null; out: string; err: string };

const run = (env: Record<string, string>, { args = [] as string[], file = script } = {}) =>
  new Promise<Result>(resolve => {
    const child = execFile(
      process.execPath,
      [...args, file],
      { env: { PATH: process.env.PATH, ...env } },
      (_, out, err) => resolve({ code: child.exitCode, out, err }),
    );
  });

/** Deploys contracts until those of the devnet are no longer among the newest fifty. */
async function deployFifty(): Promise<void> {
  const { network } = devnet;
  for (const wallet of ['wallet_1', 'wallet_2', 'wallet_3']) {
    const { privateKey: senderKey } = devnet.account(wallet);
    for (let nonce = 0; nonce < 17; nonce++) {
      const deploy = { contractName: `filler-${nonce}`, codeBody: '(define-constant one u1)', senderKey, network };
      const transaction = await makeContractDeploy({ ...deploy, fee: 1_000, nonce });
      expect(await broadcastTransaction({ transaction, network })).toHaveProperty('txid');
    }
  }
  await devnet.mine(2);
  const newest = await devnet.get<{ results: object[] }>('/extended/v1/tx?type=smart_contract&limit=50');
  expect(JSON.stringify(newest)).not.toContain('ST3PDQA0PMRJ100XR0P2F8RV16M73ZJX10EG0H64F.pool');
}

test('the example sends through the API and through the node, and follows each transaction to its end', async () => {
  await deployFifty();
  const { code, out, err } = await run({ CAIRN_API: devnet.url, CAIRN_DEVNET_NODE: devnet.nodeUrl });
  expect([code, err]).toEqual([0, '']);
  const ends = [...out.matchAll(/^ {2}(\w+).*→ (\w+)$/gm)].map(([, name, end]) => [name, end]);
  const round = [
    ['transfer', 'success'],
    ['swap', 'success'],
    ['swap', 'abort_by_post_condition'],
  ];
  expect(ends).toEqual([...round, ...round]);
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const shown = /```\n(through the API [\s\S]*?)\n```/.exec(readme)![1]!;
  const here = shown
    .replace(/0x[0-9a-f]+…/g, '…')
    .replace('http://127.0.0.1:3999', devnet.url)
    .replace('http://127.0.0.1:20443', devnet.nodeUrl);
  expect(out.trimEnd()).toMatch(patternOf(here));
});

test('without a service the example says how to start it', async () => {
  const { code, err } = await run({ CAIRN_API: 'http://127.0.0.1:9' });
  expect([code, err]).toEqual([1, expect.stringContaining('Start the service with "npm start" in another terminal')]);
  expect(err.trim().split('\n')).toHaveLength(1);
});

test('a service of another network is named', async t => {
  const server = createServer((_request, response) => response.end(JSON.stringify({ network_id: 1 })));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => void server.close());
  const { code, err } = await run({ CAIRN_API: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('serves the network 1; this script is for the simulated devnet'),
  ]);
});

test('an old Node.js and missing packages are named in one line', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-example-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const old = join(folder, 'old.cjs');
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '18.20.0' });");
  expect(await run({}, { args: ['--require', old] })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^This script needs Node\.js 20\.19/),
  });
  const alone = join(folder, 'first-steps.mjs');
  copyFileSync(script, alone);
  expect(await run({}, { file: alone })).toMatchObject({
    code: 1,
    err: 'The packages are not installed: run "npm start" or "npm install" first.\n',
  });
});
