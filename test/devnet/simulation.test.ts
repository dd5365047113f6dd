import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { toHex } from '../../src/codec/hex.ts';
import { openSimulation, type SimulationOptions } from '../../src/devnet/simulation.ts';
import { parseMessage } from '../../src/node/json.ts';
import { readBlock } from '../../src/node/messages.ts';

type Ending = Pick<TestContext, 'onTestFinished'>;

/** An observer that keeps what it gets and fails as often as it is told. */
async function startObserver(t: Ending, failures = 0) {
  const received: { path: string; body: Buffer }[] = [];
  let left = failures;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (left-- > 0) return void response.writeHead(500).end();
    received.push({ path: request.url!, body: Buffer.concat(pieces) });
    response.end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

async function start(t: Ending, options: Partial<SimulationOptions>) {
  const devnet = await openSimulation({
    ...{ observer: undefined, host: '127.0.0.1', port: 0, blockSeconds: 3600, seed: 1, sign: false, firstBlocks: 6 },
    ...options,
  });
  t.onTestFinished(() => devnet.stop());
  devnet.run();
  await devnet.exclusively(async () => {});
  return devnet;
}

const blocksOf = (received: { path: string; body: Buffer }[]) =>
  received.filter(({ path }) => path === '/new_block').map(({ body }) => readBlock(parseMessage(body)));

const heightsOf = (received: { path: string; body: Buffer }[], newest: number) =>
  blocksOf(received)
    .slice(-newest)
    .map(block => block.height);

const post = (url: string, body?: string) =>
  fetch(url, { method: 'POST', signal: AbortSignal.timeout(10_000), ...(body !== undefined && { body }) });
const get = async (url: string) => {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  return (await response.json()) as Record<string, unknown>;
};

test('every block arrives, in order, although the observer fails at first', async t => {
  const { url, received } = await startObserver(t, 2);
  await start(t, { observer: url });
  expect(blocksOf(received).map(block => block.height)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('after a restart the chain goes on from where it was', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-devnet-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const { url, received } = await startObserver(t);
  const file = join(folder, 'devnet.json');
  const first = await start(t, { observer: url, file });
  const { tip, mempool } = first.node;
  await first.stop();
  const second = await start(t, { observer: url, file, mustResume: true });
  expect(second.node.tip.indexHash).toBe(tip.indexHash);
  expect(second.node.mempool.size).toBe(mempool.size);
  const next = await second.exclusively(() => second.step());
  expect(next.height).toBe(tip.height + 1);
  const last = blocksOf(received).at(-1)!;
  expect(toHex(last.parentIndexHash)).toBe(tip.indexHash);
});

test('where the index has blocks and the devnet has forgotten its own, it refuses', async () => {
  const options = { observer: undefined, host: '127.0.0.1', port: 0, blockSeconds: 1, seed: 1 };
  await expect(openSimulation({ ...options, file: '/nowhere/devnet.json', mustResume: true })).rejects.toThrow(
    'is gone',
  );
});

test('forks, late blocks and repetitions come on command', async t => {
  const { url, received } = await startObserver(t);
  const devnet = await start(t, { observer: url });
  const { left } = (await (await post(`${devnet.url}/devnet/fork?count=2`)).json()) as { left: string };
  const blocks = blocksOf(received);
  expect(blocks.at(-1)!.height).toBe(7);
  expect(blocks.filter(block => block.height === 6).map(block => toHex(block.indexHash))).toContain(left);
  await post(`${devnet.url}/devnet/late?count=1`);
  await post(`${devnet.url}/devnet/mine`);
  expect(heightsOf(received, 2)).toEqual([9, 8]);
  await post(`${devnet.url}/devnet/miss`);
  await post(`${devnet.url}/devnet/mine`);
  await post(`${devnet.url}/devnet/recover`);
  expect(heightsOf(received, 2)).toEqual([11, 10]);
  const count = received.length;
  await post(`${devnet.url}/devnet/duplicate?count=2`);
  await devnet.outbox.drained();
  expect(received.length).toBe(count + 2);
  expect((await post(`${devnet.url}/devnet/fork?count=x`)).status).toBe(400);
});

test('the node answers what clients ask', async t => {
  const devnet = await start(t, { firstBlocks: 10 });
  const [user] = devnet.userKeys;
  const info = await get(`${devnet.url}/v2/info`);
  expect(info).toMatchObject({ network_id: 0x8000_0000, stacks_tip_height: 10 });
  expect(await get(`${devnet.url}/v2/accounts/${user!.address}?proof=0`)).toMatchObject({
    balance: `0x${100_000_000_000_000n.toString(16).padStart(32, '0')}`,
    nonce: 0,
  });
  expect(await get(`${devnet.url}/v2/pox`)).toMatchObject({ reward_cycle_length: 20, reward_cycle_id: 5 });
  expect(await get(`${devnet.url}/v3/health`)).toMatchObject({ difference_from_max_peer: 0 });
  expect(await get(`${devnet.url}/v3/tenures/info`)).toMatchObject({ tip_height: 10 });
  const stone = devnet.people.contract('stone').replace('.', '/');
  expect(await get(`${devnet.url}/v2/contracts/interface/${stone}`)).toHaveProperty('functions');
  expect(await get(`${devnet.url}/v2/contracts/source/${stone}`)).toHaveProperty('source');
  expect(await get(`${devnet.url}/v2/data_var/${stone}/supply`)).toHaveProperty('data');
  const read = await post(
    `${devnet.url}/v2/contracts/call-read/${stone}/get-decimals`,
    JSON.stringify({ sender: user!.address, arguments: [] }),
  );
  expect(await read.json()).toEqual({ okay: true, result: `0x0701${'0'.repeat(31)}6` });
  const id = devnet.node.tip.indexHash.slice(2);
  expect((await fetch(`${devnet.url}/v3/blocks/${id}`)).headers.get('content-type')).toBe('application/octet-stream');
  expect(await get(`${devnet.url}/v3/blocks/replay/${id}`)).toMatchObject({ block_id: id, block_height: 10 });
  const refused = await post(`${devnet.url}/v2/transactions`, 'nonsense');
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: 'transaction rejected', reason: 'Deserialization' });
});
