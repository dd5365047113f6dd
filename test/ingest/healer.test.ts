import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { BuiltBlock } from '../../src/devnet/chain/built-block.ts';
import { blockBytes } from '../../src/devnet/chain/stored/block-record.ts';
import { Healer, type HealerOptions } from '../../src/ingest/heal/healer.ts';
import { NodeTips } from '../../src/ingest/heal/node-tips.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { NodeRpc } from '../../src/node/rpc.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { append, foldAll, folded, positionOf, startFold, until } from '../support/service.ts';

type Body = Record<string, unknown> & { transactions: Record<string, unknown>[]; events: Record<string, unknown>[] };
const bare = (hex: unknown) => String(hex).replace(/^0x/, '');

/** What a node answers when it is asked to execute a block once more. */
function replayOf(block: BuiltBlock): object {
  const body = block.body as Body;
  return {
    block_id: bare(body.index_block_hash),
    parent_block_id: bare(body.parent_index_block_hash),
    block_hash: bare(body.block_hash),
    block_height: body.block_height,
    timestamp: body.block_time,
    consensus_hash: bare(body.consensus_hash),
    miner_signature: bare(body.miner_signature),
    signer_signature: (body.signer_signature as string[]) ?? [],
    valid_merkle_root: true,
    transactions: body.transactions.map(tx => ({
      tx_index: tx.tx_index,
      txid: bare(tx.txid),
      hex: bare(tx.raw_tx),
      result_hex: bare(tx.raw_result),
      execution_cost: tx.execution_cost,
      post_condition_aborted: tx.status === 'abort_by_post_condition',
      vm_error: tx.vm_error,
      data: null,
      events: body.events.filter(event => event.txid === tx.txid),
    })),
  };
}

type Context = { onTestFinished(work: () => Promise<void>): void };

/** A node that serves replayed blocks to whoever knows its secret. */
async function startNode(
  t: Context,
  blocks: BuiltBlock[],
  secret = 'secret',
): Promise<{ url: string; asked: string[]; interfaces: number; pox: number }> {
  const node = { url: '', asked: [] as string[], interfaces: 404, pox: 404 };
  const byId = new Map(blocks.map(block => [bare((block.body as Body).index_block_hash), block]));
  const { asked } = node;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const replayed = /^\/v3\/blocks\/replay\/([0-9a-f]{64})$/.exec(path)?.[1];
    if (replayed !== undefined) {
      if (request.headers.authorization !== secret) return answer(401, { error: 'unauthorized' });
      const block = byId.get(replayed);
      return block ? answer(200, replayOf(block)) : answer(404, {});
    }
    const raw = /^\/v3\/blocks\/([0-9a-f]{64})$/.exec(path)?.[1];
    if (raw !== undefined) {
      const block = byId.get(raw);
      if (!block) return answer(404, {});
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      return response.end(blockBytes(block));
    }
    if (path.startsWith('/v2/pox')) return answer(node.pox, {});
    if (path.startsWith('/v2/contracts/interface/')) return answer(node.interfaces, { functions: [] });
    const consensus = /^\/v3\/sortitions\/consensus\/([0-9a-f]{40})$/.exec(path)?.[1];
    const of = blocks.find(block => bare((block.body as Body).consensus_hash) === consensus)?.body as Body | undefined;
    if (!of) return answer(404, {});
    answer(200, [
      {
        burn_block_hash: of.burn_block_hash,
        burn_block_height: of.burn_block_height,
        burn_header_timestamp: of.burn_block_time,
      },
    ]);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => new Promise(resolve => server.close(() => resolve())));
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return node;
}

function startHealer(
  t: Context,
  db: TestDatabase,
  url: string,
  auth: string | undefined,
  lines: string[] = [],
  options: Partial<HealerOptions> = {},
): Healer {
  const line = (_: object, message: string) => void lines.push(message);
  const node = new NodeRpc({ url, headers: {}, auth }, { connections: 2, timeoutMs: 5_000 });
  const events = new EventLog(db.sql);
  const log = { info: line, warn: line, error: line };
  const healer = new Healer({ sql: db.sql, events, nodes: [node], log, everyMs: 10, patienceMs: 0, ...options });
  healer.start();
  t.onTestFinished(async () => {
    await healer.stop();
    await events.close();
  });
  return healer;
}

test('a gap of 1,000 blocks between log and node is healed', { timeout: 1_200_000 }, async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 31, maturity: 100_000 });
  const blocks = mineLine(chain, chain.genesis, 1_005, { transactions: 1 });
  await foldAll(db, [chain.genesis, ...blocks.slice(0, 3)].flatMap(messagesOf));
  const node = await startNode(t, blocks);
  const fold = startFold(db);
  t.onTestFinished(() => fold.stop());
  await append(db, messagesOf(blocks.at(-1)!));
  startHealer(t, db, node.url, 'secret');
  await until(async () => (await positionOf(db.sql)).height === 1_005, 1_000_000);

  const plain = await testDatabase(t);
  await foldAll(plain, [chain.genesis, ...blocks].flatMap(messagesOf));
  const sums = 'select principal, sent, received, fees from stx_balances order by principal, height';
  expect((await db.sql.unsafe(sums)).length).toBe((await plain.sql.unsafe(sums)).length);
  const [healed, whole] = [await dump(db.sql), await dump(plain.sql)];
  expect(healed.transactions).toEqual(whole.transactions);
  expect(healed.events).toEqual(whole.events);
  expect(healed.holders).toEqual(whole.holders);
});

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
