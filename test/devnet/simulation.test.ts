import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toHex } from '@cairn-stacks/codec/hex';
import { readSnapshot } from '@cairn-stacks/devnet/node/snapshot';
import { openSimulation } from '@cairn-stacks/devnet/simulation';
import { expect, test } from 'vitest';
import { Healer } from '../../src/ingest/heal/healer.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { parseMessage } from '../../src/node/json.ts';
import { readBlock } from '../../src/node/messages.ts';
import { NodeRpc } from '../../src/node/rpc.ts';
import { testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import { foldAll, positionOf, startFold, testNetwork, until } from '../support/service.ts';
import { command, startSimulation as start, startObserver } from '../support/simulation.ts';

const blocksOf = (received: { path: string; body: Buffer }[]) =>
  received.filter(({ path }) => path === '/new_block').map(({ body }) => readBlock(parseMessage(body)));

const heightsOf = (received: { path: string; body: Buffer }[], newest: number) =>
  blocksOf(received)
    .slice(-newest)
    .map(block => block.height);

const post = (url: string, body?: string) => fetch(url, { method: 'POST', ...(body !== undefined && { body }) });
const get = async (url: string) => {
  const response = await fetch(url);
  return (await response.json()) as Record<string, unknown>;
};

test('every block arrives, in order, although the observer fails at first', async t => {
  const { url, received } = await startObserver(t, { failures: 2 });
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

test('a snapshot of the first version is read with its names translated', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-devnet-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'devnet.json');
  const message = { path: '/new_block', text: '{}' };
  const first = {
    version: 1,
    seed: 7,
    population: { random: 3, round: 9 },
    letters: [message],
    missed: [{ id: '0xaa', letters: [message] }],
  };
  writeFileSync(file, JSON.stringify(first));
  expect(await readSnapshot(file)).toEqual({
    version: 2,
    seed: 7,
    residents: { random: 3, round: 9 },
    messages: [message],
    missed: [{ id: '0xaa', messages: [message] }],
  });
});

test('where the index has blocks and the devnet has forgotten its own, it refuses', async () => {
  const options = { observer: undefined, host: '127.0.0.1', port: 0, blockSeconds: 1, seed: 1 };
  await expect(openSimulation({ ...options, file: '/nowhere/devnet.json', mustResume: true })).rejects.toThrow(
    'is missing',
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

test('the node responds to clients', async t => {
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
  const stone = devnet.residents.contract('stone').replace('.', '/');
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

test('blocks of before a restart are still served, and so are their sortitions', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-devnet-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'devnet.json');
  const first = await start(t, { file });
  await command(first, 'fork?count=2');
  const { tip } = first.node;
  const paths = [tip, tip.parent!, tip.parent!.parent!].flatMap(block => [
    `/v3/blocks/${block.indexHash.slice(2)}`,
    `/v3/blocks/replay/${block.indexHash.slice(2)}`,
    `/v3/blocks/height/${block.height}`,
    `/v3/sortitions/consensus/${Buffer.from(block.tenure.consensusHash).toString('hex')}`,
  ]);
  const answers = (url: string) =>
    Promise.all(
      paths.map(async path => {
        const response = await fetch(`${url}${path}`);
        return [path, response.status, Buffer.from(await response.arrayBuffer()).toString('hex')];
      }),
    );
  const before = await answers(first.url);
  expect(new Set(before.map(([, status]) => status))).toEqual(new Set([200]));
  await first.stop();
  const second = await start(t, { file, mustResume: true });
  expect(await answers(second.url)).toEqual(before);
  await command(second, 'mine');
  expect(await answers(second.url)).toEqual(before);
  expect((await fetch(`${second.url}/v3/blocks/${'00'.repeat(32)}`)).status).toBe(404);
  expect((await fetch(`${second.url}/v3/sortitions/consensus/${'00'.repeat(20)}`)).status).toBe(404);
});

test('a missed block is fetched from the devnet, and the tables end as if it had been announced', async t => {
  const db = await testDatabase(t);
  const events = new EventLog(db.sql);
  const take = ({ path, body }: { path: string; body: Buffer }) =>
    events.append({ path, source: 'node 127.0.0.1', at: new Date(), body });
  const { url, received } = await startObserver(t, { take });
  const network = { ...testNetwork, name: 'devnet' };
  const fold = startFold(db, { network });
  t.onTestFinished(async () => {
    await fold.stop();
    await events.close();
  });
  const devnet = await start(t, { observer: url, firstBlocks: 12 });
  await command(devnet, 'miss');
  await command(devnet, 'miss');
  await command(devnet, 'mine?count=3');
  await until(async () => (await positionOf(db.sql)).height === 12);
  const node = new NodeRpc({ url: devnet.url, headers: {}, auth: 'devnet' }, { connections: 2, timeoutMs: 5_000 });
  const log = { info() {}, warn() {}, error() {} };
  const healer = new Healer({ sql: db.sql, events, nodes: [node], log, everyMs: 10, patienceMs: 0 });
  healer.start();
  t.onTestFinished(async () => {
    await healer.stop();
    await node.close();
  });
  await until(async () => (await positionOf(db.sql)).height === 17);
  const healed = await dump(db.sql);

  // Told after all, they say what no replay can: the miner's Bitcoin transaction, rewards, reward sets.
  const heard = received.length;
  await command(devnet, 'recover');
  await until(async () => (await positionOf(db.sql)).event_id >= BigInt(heard) && received.length > heard);
  const straight = await testDatabase(t);
  const order = received.toSorted((a, b) => heightIn(a) - heightIn(b));
  await foldAll(
    straight,
    order.map(({ path, body }) => ({ path, body: body.toString() })),
    { network },
  );
  const whole = await dump(straight.sql);
  for (const table of ['transactions', 'events', 'contracts', 'nft_history', 'ft_balances'] as const) {
    expect(healed[table], table).toEqual(whole[table]);
  }
  await until(async () => differences(await dump(db.sql), whole).length === 0);
});

/** Where a message belongs in a quiet telling. */
function heightIn({ path, body }: { path: string; body: Buffer }): number {
  return path === '/new_block' ? (JSON.parse(body.toString()) as { block_height: number }).block_height : -1;
}
