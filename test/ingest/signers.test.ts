import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import {
  chunksMessage,
  preCommitMessage,
  proposalMessage,
  pushMessage,
  responsesMessage,
} from '@cairn-stacks/devnet/chain/stackerdb-messages';
import { Random } from '@cairn-stacks/devnet/random';
import { expect, test } from 'vitest';
import { connect, type Pool } from '../../src/db/client.ts';
import { finishBulkLoad } from '../../src/ingest/load/bulk-load.ts';
import type { NewEvent } from '../../src/ingest/log/event-log.ts';
import { startObserver } from '../../src/ingest/observer/observer.ts';
import type { ObservedPost } from '../../src/ingest/observer/post.ts';
import { SignerBuffer } from '../../src/ingest/observer/signer-buffer.ts';
import { reduceChunks } from '../../src/ingest/observer/signer-chunks.ts';
import { readRecordedEvents } from '../../src/ingest/replay/recorded-events.ts';
import { pruneSigners } from '../../src/ingest/signers/prune-signers.ts';
import { encodeSignerRecords, readSignerRecords } from '../../src/node/signer-records.ts';
import { testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { liveRecording, liveRecordings, needRecording } from '../support/recordings.ts';
import { foldAll, until } from '../support/service.ts';
import { signedHistory } from '../support/signed-history.ts';
import { signerTables } from '../support/signer-tables.ts';

const liveFiles = liveRecordings.map(liveRecording);
type RewardSetBody = { reward_set?: { signers?: { signing_key: string }[] | null } | null };
const silent = { info() {}, warn() {}, error() {} };
const isSigner = ({ path }: Message) => path === '/stackerdb_chunks';

/** The rows of the tables of signer metrics. */
async function signerRows(sql: Pool) {
  const rows = await dump(sql);
  return Object.fromEntries(signerTables.map(({ name }) => [name, rows[name]]));
}

/** The same messages with those of signers in another order; blocks stay in theirs. */
function shuffled(messages: readonly Message[], seed: number): Message[] {
  const random = new Random(seed);
  return messages
    .map((message, i) => ({ message, at: isSigner(message) ? random.below(messages.length) : i }))
    .sort((a, b) => a.at - b.at)
    .map(({ message }) => message);
}

/** Chunks as the observer stores them: compact records at the same time. */
function reduced(message: Message): (Message | { path: string; body: string }) & { at?: Date } {
  if (!isSigner(message)) return message;
  const { records } = reduceChunks(Buffer.from(JSON.stringify(message.body)));
  const { at } = message as Message & { at: Date };
  return { path: '/cairn/signer_messages', body: encodeSignerRecords(records!), at };
}

test('the tables of signers do not depend on the order of messages, on bulk loads or on how chunks are stored', async t => {
  const { messages } = signedHistory(3);
  const [plain, other, bulk, compact] = await Promise.all([1, 2, 3, 4].map(() => testDatabase(t)));
  await foldAll(plain!, messages, { batchBlocks: 1 });
  const expected = await signerRows(plain!.sql);
  for (const { name } of signerTables) expect(expected[name], name).not.toEqual([]);

  await foldAll(other!, shuffled(messages, 5), { batchBlocks: 3 });
  expect(await signerRows(other!.sql)).toEqual(expected);

  await foldAll(bulk!, shuffled(messages, 6), { bulk: true });
  const sql = connect(bulk!.url, { max: 3, name: 'test' });
  await finishBulkLoad(sql, silent).finally(() => sql.end());
  expect(await signerRows(bulk!.sql)).toEqual(expected);

  await foldAll(compact!, messages.map(reduced));
  expect(await signerRows(compact!.sql)).toEqual(expected);
});

test('old cycles lose their rows and keep their totals, and a repeated message does not count again', async t => {
  const { messages, cycles } = signedHistory(4);
  const database = await testDatabase(t);
  await foldAll(database, messages);
  const before = await signerRows(database.sql);
  const ofCycle = (line: string, cycle: number) => JSON.parse(line).cycle === cycle;
  expect(await pruneSigners(database.sql, 2)).toBe(0);
  expect(await pruneSigners(database.sql, 1)).toBe(
    before.signer_proposals!.filter(line => ofCycle(line, cycles[0]!)).length,
  );
  const after = await signerRows(database.sql);
  expect(after.signer_totals).toEqual(before.signer_totals);
  expect(after.signer_proposals).toEqual(before.signer_proposals!.filter(line => ofCycle(line, cycles[1]!)));
  expect(after.signer_responses!.length).toBeLessThan(before.signer_responses!.length);

  await foldAll(database, messages.filter(isSigner));
  expect((await signerRows(database.sql)).signer_totals).toEqual(before.signer_totals);
});

test('the observer stores records of chunks instead of chunks, with the time of each arrival, and skips what it cannot read', async () => {
  const events: NewEvent[] = [];
  const posts: ObservedPost[] = [];
  const log = {
    async append(event: NewEvent) {
      events.push(event);
      return BigInt(events.length);
    },
  };
  const observer = await startObserver({ log, host: '127.0.0.1', port: 0, onPost: post => posts.push(post) });
  const chain = testChain();
  const block = chain.mine();
  const hash = fromHex(block.hash);
  const post = async (message: Message) => {
    const body = JSON.stringify(message.body);
    const response = await fetch(`http://127.0.0.1:${observer.port}${message.path}`, { method: 'POST', body });
    expect(response.status).toBe(200);
  };
  const began = Date.now();
  await post(proposalMessage(block, 9));
  await post(preCommitMessage(9, [0, 1], hash));
  await post(responsesMessage(9, [{ slot: 1, accepted: true, hash, signature: new Uint8Array(65), version: 'v' }]));
  await post(pushMessage(block));
  await post(chunksMessage('signers-1-1', [{ slot: 0, data: Uint8Array.of(99) }]));
  // Of another contract, and no chunks at all.
  await post(chunksMessage('chat', [{ slot: 0, data: Uint8Array.of(99) }]));
  await post({ path: '/stackerdb_chunks', body: {} });
  await observer.stop();
  expect(posts.map(({ outcome, skippedChunks = 0 }) => [outcome, skippedChunks])).toEqual([
    ...[
      ['stored', 0],
      ['discarded', 0],
      ['stored', 0],
      ['stored', 0],
    ],
    ...[
      ['discarded', 1],
      ['discarded', 0],
      ['discarded', 1],
    ],
  ]);
  expect(new Set(events.map(({ path }) => path))).toEqual(new Set(['/cairn/signer_messages']));
  const records = events.map(({ body }) => readSignerRecords(JSON.parse((body as Buffer).toString())));
  const all = records.flatMap(({ proposals, responses, pushes }) => [...proposals, ...responses, ...pushes]);
  expect(all.map(record => toHex(record.hash))).toEqual([block.hash, block.hash, block.hash]);
  for (const { received } of all) {
    expect(received).toBeGreaterThanOrEqual(began);
    expect(received).toBeLessThanOrEqual(Date.now());
  }
  expect(records.flatMap(({ proposals }) => proposals)).toMatchObject([
    { height: 1, cycle: 9, burnHeight: block.burn.height },
  ]);
});

test('records that cannot be stored are tried again', async () => {
  const bodies: string[] = [];
  let failures = 2;
  const append = async ({ body }: NewEvent) => {
    if (failures-- > 0) throw new Error('no database');
    bodies.push((body as Buffer).toString());
    return 1n;
  };
  const errors: unknown[] = [];
  const buffer = new SignerBuffer({ append }, error => errors.push(error));
  const push = (fill: number) => ({ proposals: [], responses: [], pushes: [{ hash: new Uint8Array(32).fill(fill) }] });
  await buffer.add(push(1), new Date(1), 'node');
  await until(async () => errors.length === 1);
  await buffer.add(push(2), new Date(2), 'node');
  await until(async () => bodies.length === 1);
  await buffer.stop();
  expect(readSignerRecords(JSON.parse(bodies[0]!)).pushes.map(({ received }) => received)).toEqual([1, 2]);
});

test('nodes announce the signers of a cycle in the order of their keys', async t => {
  needRecording(t, liveFiles.length > 0);
  let sets = 0;
  for (const file of liveFiles) {
    for await (const { path, body } of readRecordedEvents(file)) {
      if (path !== '/new_block') continue;
      const keys = (JSON.parse(body.toString()) as RewardSetBody).reward_set?.signers?.map(
        ({ signing_key }) => signing_key,
      );
      if (!keys) continue;
      sets++;
      expect(keys).toEqual(keys.toSorted());
    }
  }
  expect(sets).toBeGreaterThan(0);
});
