import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { burnMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import type { BurnBlock } from '@cairn-stacks/devnet/chain/burn-chain';
import type { ChainBuilder } from '@cairn-stacks/devnet/chain/chain-builder';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { expect, test } from 'vitest';
import { exportEvents } from '../../src/commands/export.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { LogSink, replayFile } from '../../src/ingest/replay/replay.ts';
import { identifyFile } from '../../src/ingest/replay/replay-mark.ts';
import { findIngestStatus } from '../../src/read/status/status-queries.ts';
import { messagesOf, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import { eventOf, foldAll, positionOf } from '../support/service.ts';

type Context = Parameters<typeof testDatabase>[0];

/** A database that folds what it is given; `tip` is the block that the tables stand at. */
async function start(t: Context) {
  const db = await testDatabase(t);
  return {
    db,
    feed: async (...messages: Message[]) => await foldAll(db, messages),
    tip: async () => `0x${(await positionOf(db.sql)).index_hash.toString('hex')}`,
    /** The canonical burn hashes, lowest first. */
    burns: async () =>
      (await db.sql<{ hash: Buffer }[]>`select b.hash from burn_blocks b order by b.height`).map(
        ({ hash }) => `0x${hash.toString('hex')}`,
      ),
  };
}

/** Blocks that each start a tenure, with a burn block of their own. */
function tenures(chain: ChainBuilder, parent: BuiltBlock, count: number): BuiltBlock[] {
  const blocks: BuiltBlock[] = [];
  for (let i = 0; i < count; i++) blocks.push(chain.mine(blocks.at(-1) ?? parent, { tenure: 'new', transactions: 2 }));
  return blocks;
}

/** Burn blocks that elect nobody. */
const mineBurns = (chain: ChainBuilder, count: number): BurnBlock[] =>
  Array.from({ length: count }, () => chain.burnChain.mine());

test('replaced burn blocks that paid nobody do not stop ingest', async t => {
  const { feed, burns } = await start(t);
  const unpaid = (height: number, byte: string) => ({
    path: '/new_burn_block',
    body: {
      burn_block_hash: `0x${byte.repeat(32)}`,
      burn_block_height: height,
      burn_amount: 0,
      reward_recipients: [],
      reward_slot_holders: [],
    },
  });
  const position = await feed(unpaid(10, 'a0'), unpaid(11, 'a1'), unpaid(10, 'b0'));
  expect(position.halt_reason).toBeNull();
  expect(await burns()).toEqual([`0x${'b0'.repeat(32)}`]);
});

test('the tables go back at once when Bitcoin replaces burn blocks, and follow the shorter branch', async t => {
  const { feed, tip, db } = await start(t);
  const chain = testChain({ seed: 3 });
  const blocks = tenures(chain, chain.genesis, 6);
  await feed(chain.genesis, ...blocks.flatMap(messagesOf));
  expect(await tip()).toBe(blocks[5]!.indexHash);

  chain.burnChain.goBack(4);
  const [first, ...others] = mineBurns(chain, 5);
  await feed(burnMessage(first!));
  expect(await tip()).toBe(blocks[1]!.indexHash);
  await feed(...others.map(burnMessage));
  expect(await tip()).toBe(blocks[1]!.indexHash);

  const branch = tenures(chain, blocks[1]!, 2);
  for (const block of branch) {
    await feed(...messagesOf(block));
    expect(await tip()).toBe(block.indexHash);
  }

  const calm = await testDatabase(t);
  const canonicalBurns = [...blocks.slice(0, 2).flatMap(b => b.burnBlocks), first!, ...others];
  await foldAll(calm, [
    chain.genesis,
    ...canonicalBurns.map(burnMessage),
    ...blocks.slice(0, 2),
    ...branch.flatMap(messagesOf),
  ]);
  expect(differences(await dump(db.sql), await dump(calm.sql))).toEqual([]);
});

test('a block of a replaced burn block never wins, however tall its branch grows', async t => {
  const { feed, tip } = await start(t);
  const chain = testChain({ seed: 4 });
  const blocks = tenures(chain, chain.genesis, 3);
  await feed(chain.genesis, ...blocks.flatMap(messagesOf));
  chain.burnChain.goBack(1);
  await feed(burnMessage(chain.burnChain.mine()));
  // More blocks of the dead tenure, and late.
  let dead = blocks[2]!;
  for (let i = 0; i < 3; i++) {
    dead = chain.mine(dead, { tenure: 'same' });
    await feed(dead);
  }
  expect(await tip()).toBe(blocks[1]!.indexHash);
});

test('a child of a replaced burn block brings its branch back', async t => {
  const { feed, tip, burns } = await start(t);
  const chain = testChain({ seed: 5 });
  const blocks = tenures(chain, chain.genesis, 4);
  await feed(chain.genesis, ...blocks.flatMap(messagesOf));
  const before = await burns();
  const left = chain.burnChain.tip;
  chain.burnChain.goBack(2);
  await feed(...mineBurns(chain, 3).map(burnMessage));
  expect(await tip()).toBe(blocks[1]!.indexHash);

  chain.burnChain.tip = left;
  const next = chain.burnChain.mine();
  await feed(burnMessage(next));
  expect(await tip()).toBe(blocks[3]!.indexHash);
  expect(await burns()).toEqual([...before, next.hash]);
});

test('a burn block that was never announced, or is announced again, rules nothing out', async t => {
  const { feed, tip } = await start(t);
  const chain = testChain({ seed: 6 });
  const blocks = tenures(chain, chain.genesis, 3);
  // The burn block of the third was never announced; another hash takes a height nobody knows.
  await feed(chain.genesis, ...messagesOf(blocks[0]!), ...messagesOf(blocks[1]!), blocks[2]!);
  chain.burnChain.goBack(1);
  await feed(burnMessage(chain.burnChain.mine()));
  expect(await tip()).toBe(blocks[2]!.indexHash);
  await feed(burnMessage(blocks[0]!.burn), burnMessage(blocks[1]!.burn));
  expect(await tip()).toBe(blocks[2]!.indexHash);
});

test('the hash of a burn block decides, not the height that a block names', async t => {
  const { feed, tip } = await start(t);
  const chain = testChain({ seed: 7 });
  const blocks = tenures(chain, chain.genesis, 3);
  const odd = { ...blocks[2]!, body: { ...blocks[2]!.body, burn_block_height: blocks[0]!.burn.height } };
  await feed(
    chain.genesis,
    ...messagesOf(blocks[0]!),
    ...messagesOf(blocks[1]!),
    ...odd.burnBlocks.map(burnMessage),
    odd,
  );
  expect(await tip()).toBe(blocks[2]!.indexHash);
});

test('where every block would be ruled out, the tip stays, grows, and the status says so', async t => {
  const { feed, tip, db } = await start(t);
  const chain = testChain({ seed: 8 });
  const blocks = tenures(chain, chain.genesis, 2);
  await feed(chain.genesis, ...blocks.flatMap(messagesOf));
  expect((await findIngestStatus(db.sql)).tipRuledOut).toBe(false);
  chain.burnChain.goBack(2);
  await feed(...mineBurns(chain, 3).map(burnMessage));
  expect(await tip()).toBe(blocks[1]!.indexHash);
  expect((await findIngestStatus(db.sql)).tipRuledOut).toBe(true);
  const grown = chain.mine(blocks[1]!, { tenure: 'same' });
  await feed(grown);
  expect(await tip()).toBe(grown.indexHash);
  // The first block of the living branch wins, though it is the lowest.
  const fresh = chain.mine(chain.genesis, { tenure: 'new' });
  await feed(...messagesOf(fresh));
  expect(await tip()).toBe(fresh.indexHash);
  expect((await findIngestStatus(db.sql)).tipRuledOut).toBe(false);
});

test('a burn block whose parent contradicts the branch replaces it, though the parent was never announced', async t => {
  const { feed, tip, burns } = await start(t);
  const chain = testChain({ seed: 9 });
  const blocks = tenures(chain, chain.genesis, 4);
  await feed(chain.genesis, ...blocks.flatMap(messagesOf));
  chain.burnChain.goBack(2);
  const [lost, told] = mineBurns(chain, 2);
  await feed(burnMessage(told!));
  expect(await tip()).toBe(blocks[1]!.indexHash);
  // The lost message comes late and only fills its place.
  await feed(burnMessage(lost!));
  expect((await burns()).slice(-2)).toEqual([lost!.hash, told!.hash]);
  expect(await tip()).toBe(blocks[1]!.indexHash);
});

test.for([
  { name: 'the newest first', order: [4, 3, 2, 1, 0] },
  { name: 'mixed', order: [3, 0, 4, 1, 2] },
])('burn blocks of a new branch that come in the wrong order take their places: $name', async ({ order }, t) => {
  const { feed, tip, burns } = await start(t);
  const chain = testChain({ seed: 11 });
  const blocks = tenures(chain, chain.genesis, 6);
  await feed(chain.genesis, ...blocks.flatMap(messagesOf));
  const shared = (await burns()).slice(0, -4);
  chain.burnChain.goBack(4);
  const branch = mineBurns(chain, 5);
  // Each of them comes twice.
  for (const i of order) await feed(burnMessage(branch[i]!), burnMessage(branch[i]!));
  expect(await burns()).toEqual([...shared, ...branch.map(burn => burn.hash)]);
  expect(await tip()).toBe(blocks[1]!.indexHash);
});

test('a late burn block does not undo what its node has announced since', async t => {
  const { db, burns, feed } = await start(t);
  const chain = testChain({ seed: 12 });
  const blocks = tenures(chain, chain.genesis, 4);
  const post = async (source: string, ...burns: BurnBlock[]) => {
    const log = new EventLog(db.sql);
    for (const burn of burns) await log.append({ ...eventOf(burnMessage(burn)), source });
    await log.close();
    await feed();
  };
  await feed(chain.genesis, ...blocks.flatMap(messagesOf));
  const before = await burns();
  const shared = chain.burnChain.tip.parent!.parent!;
  // The second node tells of a branch that is as tall as that of the first, the newest block first.
  chain.burnChain.tip = shared;
  const [lower, upper] = mineBurns(chain, 2);
  await post('node 10.0.0.2', upper!, lower!);
  expect(await burns()).toEqual(before);
  // Now the first node leaves its branch for one that is lower than that of the second.
  chain.burnChain.tip = shared;
  await post('node 127.0.0.1', chain.burnChain.mine());
  expect(await burns()).toEqual([...before.slice(0, -2), lower!.hash, upper!.hash]);
});

test('an export of nodes that disagree is replayed to the same Bitcoin branch', async t => {
  const { db, tip, burns, feed } = await start(t);
  const chain = testChain({ seed: 13 });
  const blocks = tenures(chain, chain.genesis, 4);
  const log = new EventLog(db.sql);
  const post = async (source: string, message: Message) => await log.append({ ...eventOf(message), source });
  for (const message of [chain.genesis, ...blocks.flatMap(messagesOf)]) await post('node 10.0.0.1', message);
  for (const burn of blocks.flatMap(block => block.burnBlocks)) await post('node 10.0.0.2', burnMessage(burn));
  chain.burnChain.goBack(3);
  // The last word is that of a node whose branch is lower.
  for (const burn of mineBurns(chain, 2)) await post('node 10.0.0.2', burnMessage(burn));
  await log.close();
  await feed();
  expect(await tip()).toBe(blocks[3]!.indexHash);

  const folder = await mkdtemp(join(tmpdir(), 'cairn-export-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'events.tsv');
  await exportEvents(db.sql, file, { from: 1n });
  const copy = await start(t);
  const copied = new EventLog(copy.db.sql);
  await replayFile({ sql: copy.db.sql, file: await identifyFile(file), sink: new LogSink(copy.db.sql, copied) });
  await copied.close();
  await copy.feed();
  expect(await copy.burns()).toEqual(await burns());
  expect(await copy.tip()).toBe(await tip());
  expect((await findIngestStatus(copy.db.sql)).unknown).toEqual([]);
});

test('between nodes that disagree the taller Bitcoin branch decides', async t => {
  const { db, tip, feed } = await start(t);
  const chain = testChain({ seed: 10 });
  const blocks = tenures(chain, chain.genesis, 4);
  const post = async (source: string, ...messages: Message[]) => {
    const log = new EventLog(db.sql);
    for (const message of messages) await log.append({ ...eventOf(message), source });
    await log.close();
    await feed();
  };
  await post('node 10.0.0.1', chain.genesis, ...blocks.flatMap(messagesOf));
  await post('node 10.0.0.2', ...blocks.flatMap(messagesOf));
  chain.burnChain.goBack(2);
  const branch = mineBurns(chain, 3).map(burnMessage);
  // The first node leaves; the second still follows a branch that is as tall.
  await post('node 10.0.0.1', branch[0]!, branch[1]!);
  expect(await tip()).toBe(blocks[3]!.indexHash);
  // Either a taller branch or the word of the second node settles it.
  await post('node 10.0.0.1', branch[2]!);
  expect(await tip()).toBe(blocks[1]!.indexHash);
  await post('node 10.0.0.2', ...branch);
  expect(await tip()).toBe(blocks[1]!.indexHash);
});
