import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { expect, test } from 'vitest';
import { auditAll } from '../../src/audit/audit.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { prunableTo, pruneLog } from '../../src/ingest/log/log-retention.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { differences, dump } from '../support/dump.ts';
import {
  bodyOf,
  healedMessages,
  lostFields,
  serveNode,
  startHealer,
  undeclared,
  unexplained,
  unknownByHeight,
} from '../support/healing.ts';
import { readRecordedChain, serveRecordedChain } from '../support/recorded-node.ts';
import { liveRecording, liveRecordings, needRecording } from '../support/recordings.ts';
import { append, eventOf, foldAll, folded, positionOf, startFold, testNetwork, until } from '../support/service.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

const network = { ...testNetwork, name: 'devnet' };
const isBlock = ({ path }: Message) => path === '/new_block';

const inGap = (height: number, gaps: readonly number[][]) =>
  gaps.some(([from = 0, to = 0]) => height >= from && height <= to);

/** Folds a chain with gaps and heals it. */
async function heal(t: Ending, messages: Message[], isCut: (height: number) => boolean, url: string) {
  const db = await testDatabase(t);
  const fold = startFold(db, { network });
  t.onTestFinished(() => fold.stop());
  const top = Math.max(...messages.filter(isBlock).map(message => bodyOf(message).block_height));
  const cut = messages.filter(message => isBlock(message) && isCut(bodyOf(message).block_height));
  await folded(
    db.sql,
    await append(
      db,
      messages.filter(message => !cut.includes(message)),
    ),
  );
  startHealer(t, db, url);
  await until(async () => (await positionOf(db.sql)).height === top);
  return { db, cut };
}

/** Holds a healed chain against the one that was never cut: messages field by field, tables row by row. */
async function expectDeclared(t: Ending, db: TestDatabase, messages: Message[]) {
  const whole = await testDatabase(t);
  await foldAll(whole, messages, { network });
  const real = new Map(messages.filter(isBlock).map(message => [bodyOf(message).index_block_hash, bodyOf(message)]));
  const unknown = await unknownByHeight(db);
  const healed = await healedMessages(db);
  expect(healed.length).toBe(unknown.size);
  // What Cairn wrote itself is nothing that a newer node brought.
  expect(await db.sql`select u.name from unknown_items u`).toEqual([]);
  const lost = new Map<number, ReturnType<typeof lostFields>>();
  for (const message of healed) {
    const { block_height: height, index_block_hash: id } = message;
    expect(undeclared(message, real.get(id)!, unknown.get(height)!), `block ${height}`).toEqual([]);
    lost.set(height, lostFields(real.get(id)!, unknown.get(height)!));
  }
  const [a, b] = [await dump(db.sql), await dump(whole.sql)];
  expect(unexplained(a, b, lost)).toEqual([]);
  return { unknown, lost, whole: b };
}

test('a healed devnet chain equals the one that was never cut, or names what it cannot know', async t => {
  const devnet = testDevnet({ seed: 41 });
  devnet.live(110);
  const url = await serveNode(t, devnet);
  const fixing = devnet.posted
    .filter(isBlock)
    .map(bodyOf)
    .filter(body => body.reward_set)
    .map(body => body.block_height);
  expect(fixing.length).toBeGreaterThan(0);
  const isCut = (height: number) =>
    inGap(height, [
      [3, 4],
      [30, 44],
      [60, 60],
      [70, 95],
    ]) ||
    fixing.includes(height) ||
    fixing.includes(height - 1);
  // Records of signers hold the time of arrival, which differs between the two databases.
  const posted = devnet.posted.filter(({ path }) => path !== '/stackerdb_chunks');
  const { db, cut } = await heal(t, posted, isCut, url);
  const { unknown, lost, whole } = await expectDeclared(t, db, posted);

  // Rewards and reward sets of the gaps were found; only a transaction that wins a whole missing tenure is lost.
  expect([...unknown.keys()]).toEqual(cut.map(message => bodyOf(message).block_height));
  expect(new Set([...lost.values()].flat())).toEqual(new Set(['miner_txid']));
  const cutBodies = cut.map(bodyOf);
  expect(cutBodies.filter(body => (body.matured_miner_rewards as unknown[]).length > 0).length).toBeGreaterThan(5);
  expect(cutBodies.some(body => body.reward_set !== null)).toBe(true);
  // A block that starts no tenure is whole; one that does may have had operations of Bitcoin transactions.
  for (const body of cutBodies) {
    const starts = body.parent_burn_block_hash !== body.burn_block_hash;
    expect(unknown.get(body.block_height)!.includes('burn_operations'), `block ${body.block_height}`).toBe(starts);
  }
  const findings = await auditAll(db.sql);
  expect(findings.filter(finding => finding.reason === undefined)).toEqual([]);
  expect(new Set(findings.map(finding => finding.check))).toEqual(new Set(['completeness']));

  // The events come after all, in any order and all at once.
  await folded(db.sql, await append(db, cut.toReversed()));
  await until(async () => differences(await dump(db.sql), whole).length === 0);
  expect((await unknownByHeight(db)).size).toBe(0);
  expect(await auditAll(db.sql)).toEqual([]);
});

const recorded = 'nakamoto-regtest.tsv.gz';

test('a healed chain of a live node equals the one that was never cut, or names what it cannot know', async t => {
  needRecording(t, liveRecordings.includes(recorded));
  const chain = await readRecordedChain(liveRecording(recorded));
  const whole = await testDatabase(t);
  await foldAll(whole, chain.messages, { network });
  const epochStarts = [104, 106, 109, 130, 132, 133, 134, 162];
  const url = await serveRecordedChain(t, chain, whole, { cycleLength: 20, epochStarts });
  const gaps = [
    [26, 29],
    [34, 36],
    [40, 42],
    [64, 66],
    [83, 86],
    [100, 100],
    [171, 173],
    [188, 192],
  ];
  const isCut = (height: number) => inGap(height, gaps);
  const { db, cut } = await heal(t, chain.messages, isCut, url);
  const { unknown, lost, whole: rows } = await expectDeclared(t, db, chain.messages);

  // What was lost: boot contracts of three epochs, an unlock of the first allocations, a transfer by Bitcoin.
  expect(lost.get(27)).toContain('boot_contracts');
  expect(lost.get(28)).toContain('boot_contracts');
  expect(lost.get(84)).toContain('boot_contracts');
  expect(lost.get(35)).toContain('mints');
  expect(lost.get(190)).toEqual(['burn_operations']);
  // What was found: the reward sets of three cycles.
  expect(chain.messages.filter(({ body }) => body.reward_set && isCut(body.block_height)).length).toBe(3);
  expect([...lost.values()].flat()).not.toContain('reward_set');
  expect(unknown.get(29)).toEqual([]);
  expect((await auditAll(db.sql)).filter(finding => finding.reason === undefined)).toEqual([]);

  await folded(db.sql, await append(db, cut));
  await until(async () => differences(await dump(db.sql), rows).length === 0);
  expect((await unknownByHeight(db)).size).toBe(0);
});

test('events of fetched blocks are folded however long the chain above them is', async t => {
  const chain = testChain({ seed: 43 });
  const blocks = mineLine(chain, chain.genesis, 1_060, { transactions: 0 });
  const db = await testDatabase(t);
  const log = new EventLog(db.sql);
  // As a release did that did not say what is unknown.
  const fetched = (block: (typeof blocks)[number]) =>
    log.append({ ...eventOf({ ...block, body: { ...block.body, matured_miner_rewards: [] } }), source: 'fetched' });
  await append(db, messagesOf(chain.genesis));
  for (const block of blocks.slice(0, 40)) {
    if (block.height % 5 === 0) await fetched(block);
    else await append(db, messagesOf(block));
  }
  await foldAll(db, blocks.slice(40).flatMap(messagesOf), { batchBlocks: 500 });
  expect((await unknownByHeight(db)).size).toBe(8);
  await foldAll(db, blocks.slice(0, 40).flatMap(messagesOf));
  await log.close();

  const plain = await testDatabase(t);
  await foldAll(plain, [chain.genesis, ...blocks].flatMap(messagesOf), { batchBlocks: 500 });
  expect(differences(await dump(db.sql), await dump(plain.sql))).toEqual([]);
  expect((await unknownByHeight(db)).size).toBe(0);
});

test('the event of a fetched block below a pruned part of the log leaves it incomplete and stops nothing', async t => {
  const chain = testChain({ seed: 44 });
  const blocks = mineLine(chain, chain.genesis, 20);
  const db = await testDatabase(t);
  const marked = blocks.map(block =>
    block.height === 4 ? { ...block, body: { ...block.body, cairn_healed: { unknown: ['burn_operations'] } } } : block,
  );
  await foldAll(db, [chain.genesis, ...marked].flatMap(messagesOf));
  await pruneLog(db.sql, (await prunableTo(db.sql, 5))!);
  const next = chain.mine(blocks.at(-1)!);
  const { height } = await foldAll(db, [blocks[3]!, ...messagesOf(next)]);
  expect(height).toBe(21);
  expect([...(await unknownByHeight(db)).keys()]).toEqual([4]);
});
