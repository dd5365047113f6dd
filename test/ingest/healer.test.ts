import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { expect, test } from 'vitest';
import { NodeTips } from '../../src/ingest/heal/node-tips.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { append, foldAll, folded, positionOf, startFold, until } from '../support/service.ts';
import { expectHealed } from './healed-gap.ts';
import { type Body, bare, startHealer, startNode } from './replaying-node.ts';

test('a gap of 150 blocks between log and node is healed', async t => await expectHealed(t, 150));

test('the event of a fetched block that comes after all takes its place', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 32 });
  const blocks = mineLine(chain, chain.genesis, 14);
  await foldAll(db, [chain.genesis, ...blocks.slice(0, 5)].flatMap(messagesOf));
  const node = await startNode(t, blocks);
  const fold = startFold(db);
  t.onTestFinished(() => fold.stop());
  await append(db, blocks.slice(9).flatMap(messagesOf));
  startHealer(t, db, node.url, 'secret');
  await until(async () => (await positionOf(db.sql)).height === 14);
  await folded(db.sql, await append(db, blocks.slice(5, 9).flatMap(messagesOf)));

  const plain = await testDatabase(t);
  await foldAll(plain, [chain.genesis, ...blocks].flatMap(messagesOf));
  expect(await dump(db.sql)).toEqual(await dump(plain.sql));
});

test('a node that wants a secret is told of in plain words', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 33 });
  const blocks = mineLine(chain, chain.genesis, 6);
  await foldAll(db, [chain.genesis, ...blocks.slice(0, 2), blocks[5]!].flatMap(messagesOf));
  const node = await startNode(t, blocks);
  const lines: string[] = [];
  startHealer(t, db, node.url, undefined, lines);
  await until(async () => lines.length > 0);
  expect(lines[0]).toContain('could not be fetched from a node');
  expect((await positionOf(db.sql)).height).toBe(2);
});

test('a block that no node has keeps nobody from asking for the others', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 34 });
  const blocks = mineLine(chain, chain.genesis, 8);
  const lost = Array.from({ length: 12 }, () => mineLine(chain, blocks[1]!, 2)[1]!);
  await foldAll(db, [chain.genesis, ...blocks.slice(0, 3), ...lost, blocks[7]!].flatMap(messagesOf));
  const node = await startNode(t, blocks);
  const fold = startFold(db);
  t.onTestFinished(() => fold.stop());
  startHealer(t, db, node.url, 'secret');
  await until(async () => (await positionOf(db.sql)).height === 8);
});

test('a stop does not wait for a node that is thinking', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 35 });
  const blocks = mineLine(chain, chain.genesis, 4);
  await foldAll(db, [chain.genesis, blocks[0]!, blocks[3]!].flatMap(messagesOf));
  const server = createServer(() => {});
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => new Promise(resolve => server.close(() => resolve())));
  const asked = new Promise(resolve => server.once('request', resolve));
  const { port } = server.address() as AddressInfo;
  const healer = startHealer(t, db, `http://127.0.0.1:${port}`, 'secret');
  await asked;
  await healer.stop();
});

test('a block with a contract waits until a node tells its interface, or that there is none', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 36 });
  const blocks = mineLine(chain, chain.genesis, 30, { transactions: 10 });
  const deploys = (block: BuiltBlock) => (block.body as Body).transactions.some(tx => tx.contract_interface !== null);
  const missing = blocks.findIndex((block, i) => i > 2 && deploys(block));
  expect(missing).toBeGreaterThan(2);
  await foldAll(db, [chain.genesis, ...blocks.slice(0, missing), blocks[missing + 1]!].flatMap(messagesOf));
  const node = await startNode(t, blocks);
  node.interfaces = 503;
  const fold = startFold(db);
  t.onTestFinished(() => fold.stop());
  const lines: string[] = [];
  startHealer(t, db, node.url, 'secret', lines);
  await until(async () => lines.length > 0);
  expect(lines[0]).toContain('could not be fetched from a node');
  expect((await positionOf(db.sql)).height).toBe(missing);
  node.interfaces = 200;
  await until(async () => (await positionOf(db.sql)).height === missing + 2);
});

test('what a node fails to tell is waited for; what it refuses to tell is named as unknown', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 37 });
  const trunk = mineLine(chain, chain.genesis, 4);
  const missing = chain.mine(trunk[3]!, { tenure: 'new' });
  const last = chain.mine(missing, { tenure: 'same' });
  await foldAll(db, [chain.genesis, ...trunk, last].flatMap(messagesOf));
  const node = await startNode(t, [missing]);
  node.pox = 503;
  const fold = startFold(db);
  t.onTestFinished(() => fold.stop());
  const lines: string[] = [];
  startHealer(t, db, node.url, 'secret', lines);
  await until(async () => lines.length > 0);
  expect(lines[0]).toContain('could not be fetched from a node');
  expect((await positionOf(db.sql)).height).toBe(4);
  node.pox = 404;
  await until(async () => (await positionOf(db.sql)).height === 6);
  const [row] = await db.sql<{ unknown: string }[]>`select t.unknown from block_tree t where t.height = 5`;
  expect(row!.unknown).toBe('burn_operations,boot_contracts,mints,matured_miner_rewards,reward_set');
});

test('a node that gives other bytes than those of the block is not believed', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 38 });
  const blocks = mineLine(chain, chain.genesis, 6);
  await foldAll(db, [chain.genesis, ...blocks.slice(0, 3), blocks[5]!].flatMap(messagesOf));
  const other = testChain({ seed: 39 });
  const lies = mineLine(other, other.genesis, 6);
  const body = { ...(lies[4]!.body as Body), index_block_hash: blocks[4]!.indexHash };
  const node = await startNode(t, [{ ...lies[4]!, body }]);
  const fold = startFold(db);
  t.onTestFinished(() => fold.stop());
  const lines: string[] = [];
  startHealer(t, db, node.url, 'secret', lines);
  await until(async () => lines.length > 0);
  expect(lines[0]).toContain('could not be fetched from a node');
  expect(node.asked.some(path => path.includes('/replay/'))).toBe(false);
  expect((await positionOf(db.sql)).height).toBe(3);
});

/** The tip of a node that has been missing for some time. */
const tipOf = (block: BuiltBlock, missingForMs = 60_000) => ({
  id: bare((block.body as Body).index_block_hash),
  height: block.height,
  missingSince: Date.now() - missingForMs,
});

test('the tip of a node that was never posted is fetched, although no child of it has come', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 37 });
  const blocks = mineLine(chain, chain.genesis, 9);
  await foldAll(db, [chain.genesis, ...blocks.slice(0, 7)].flatMap(messagesOf));
  const node = await startNode(t, blocks);
  const fold = startFold(db);
  t.onTestFinished(() => fold.stop());
  startHealer(t, db, node.url, 'secret', [], { tips: () => [tipOf(blocks[8]!)], tipPatienceMs: 20 });
  await until(async () => (await positionOf(db.sql)).height === 9);
  const [tip] = await db.sql<{ index_hash: Buffer }[]>`select index_hash from blocks order by height desc limit 1`;
  expect(tip!.index_hash.toString('hex')).toBe(tipOf(blocks[8]!).id);
  expect(node.asked.filter(path => path.startsWith('/v3/blocks/replay/'))).toHaveLength(2);
});

test('a tip is not fetched while its event may be in the log, or while blocks arrive that lead to it', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 38 });
  const blocks = mineLine(chain, chain.genesis, 9);
  await foldAll(db, [chain.genesis, ...blocks.slice(0, 5)].flatMap(messagesOf));
  let tips = [tipOf(blocks[8]!)];
  const due = new NodeTips(db.sql, () => tips, 200);
  // The tree has just been read for the first time: it may be growing.
  expect(await due.listDue()).toEqual([]);
  await until(async () => (await due.listDue()).length === 1);
  await foldAll(db, messagesOf(blocks[5]!));
  expect(await due.listDue()).toEqual([]);
  await until(async () => (await due.listDue()).length === 1);
  // Another tip, which is in the log already but not in the tables.
  tips = [tipOf(blocks[6]!)];
  await append(db, messagesOf(blocks[6]!));
  expect(await due.listDue()).toEqual([]);
  await foldAll(db, []);
  expect(await due.listDue()).toEqual([]);
  // One that is missing only since now.
  tips = [tipOf(blocks[8]!, 0)];
  expect(await due.listDue()).toEqual([]);
  await until(async () => (await due.listDue()).length === 1);
});

test('a tip beside the chain is fetched at once: nothing that arrives leads to it', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 39 });
  const blocks = mineLine(chain, chain.genesis, 9);
  const side = mineLine(chain, blocks[4]!, 2);
  await foldAll(db, [chain.genesis, ...blocks].flatMap(messagesOf));
  const due = new NodeTips(db.sql, () => [tipOf(side[1]!)], 5_000);
  expect((await due.listDue()).map(({ height }) => height)).toEqual([7]);
});

test('without a chain no tip is fetched, and none that is further above it than a node can give', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 40 });
  const blocks = mineLine(chain, chain.genesis, 3);
  const far = { ...tipOf(blocks[2]!), height: 1_000_000 };
  const due = new NodeTips(db.sql, () => [tipOf(blocks[2]!), far], 0);
  expect(await due.listDue()).toEqual([]);
  await foldAll(db, [chain.genesis, blocks[0]!].flatMap(messagesOf));
  await until(async () => (await due.listDue()).length > 0);
  expect((await due.listDue()).map(({ height }) => height)).toEqual([3]);
});
