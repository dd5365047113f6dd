import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { burnMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import { beforeEach, describe, expect, test } from 'vitest';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { startObserver } from '../../src/ingest/observer/observer.ts';
import { replayJournal } from '../model/journal.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import { append, foldAll, positionOf, startFold, until } from '../support/service.ts';

let db: TestDatabase;
let fresh: TestDatabase;

beforeEach(async t => {
  [db, fresh] = await Promise.all([testDatabase(t), testDatabase(t)]);
});

/** The ids of the canonical chain as the tables have it, lowest first. */
async function storedChain(): Promise<string[]> {
  const rows = await db.sql<{ index_hash: Buffer }[]>`select index_hash from blocks order by height`;
  return rows.map(r => `0x${r.index_hash.toString('hex')}`);
}

const ids = (...blocks: BuiltBlock[]) => blocks.map(b => b.indexHash);

async function expectSameAs(...messages: Parameters<typeof foldAll>[1][]): Promise<void> {
  await foldAll(fresh, messages.flat());
  expect(differences(await dump(db.sql), await dump(fresh.sql))).toEqual([]);
}

describe('a block', () => {
  test('posted to the observer is in the tables a moment later', async () => {
    const chain = testChain();
    const log = new EventLog(db.sql);
    const observer = await startObserver({ log, host: '127.0.0.1', port: 0 });
    const fold = startFold(db);
    for (const block of [chain.genesis, chain.mine()]) {
      const url = `http://127.0.0.1:${observer.port}${block.path}`;
      const response = await fetch(url, { method: 'POST', body: messageText(block.body) });
      expect(response.status).toBe(200);
    }
    await until(async () => (await positionOf(db.sql)).height === 1);
    await observer.stop();
    await log.close();
    await fold.stop();
  });

  test('that comes twice counts once', async () => {
    const chain = testChain();
    const line = mineLine(chain, chain.genesis, 3);
    await foldAll(db, [chain.genesis, ...line, line[1]!, line[2]!, chain.genesis]);
    expect(await storedChain()).toEqual(ids(...line));
    await expectSameAs([chain.genesis, ...line]);
  });

  test('whose parent is missing waits for it, with everything on top', async () => {
    const chain = testChain();
    const [one, two, three, four] = mineLine(chain, chain.genesis, 4);
    const position = await foldAll(db, [chain.genesis, one!, four!, three!]);
    expect(position.height).toBe(1);
    await foldAll(db, [two!]);
    expect(await storedChain()).toEqual(ids(one!, two!, three!, four!));
    await expectSameAs([chain.genesis, one!, two!, three!, four!]);
  });
});

describe('of two branches', () => {
  const chain = testChain({ seed: 5 });
  const trunk = mineLine(chain, chain.genesis, 3);
  const left = mineLine(chain, trunk[2]!, 2, { transactions: 3 });
  const right = mineLine(chain, trunk[2]!, 3, { transactions: 3 });

  test('the first seen stays while they are equal, the higher one wins after', async () => {
    await foldAll(db, [chain.genesis, ...trunk, ...left, right[0]!, right[1]!]);
    expect(await storedChain()).toEqual(ids(...trunk, ...left));
    await foldAll(db, [right[2]!]);
    expect(await storedChain()).toEqual(ids(...trunk, ...right));
    expect(await replayJournal(db.sql)).toEqual(ids(...trunk, ...right));
    await expectSameAs([chain.genesis, ...trunk, ...right]);
  });

  test('the loser can be found again by the ids of its transactions', async () => {
    await foldAll(db, [chain.genesis, ...trunk, ...left, ...right]);
    const lost = left.flatMap(b => b.transactions.map(tx => tx.txId));
    const rows = await db.sql<{ tx_id: Buffer }[]>`select tx_id from orphan_transactions`;
    const found = new Set(rows.map(r => `0x${r.tx_id.toString('hex')}`));
    expect(lost.filter(id => !found.has(id))).toEqual([]);
  });

  test('a fork from the very first block is taken like any other', async () => {
    const other = mineLine(chain, chain.genesis, 6);
    await foldAll(db, [chain.genesis, ...trunk, ...left, ...other]);
    expect(await storedChain()).toEqual(ids(...other));
    await expectSameAs([chain.genesis, ...other]);
  });
});

describe('block 0', () => {
  const chain = testChain({ seed: 6 });
  const line = mineLine(chain, chain.genesis, 4);

  test('is shown with block 1', async () => {
    await foldAll(db, [chain.genesis, line[0]!]);
    const rows = await db.sql`select 1 from transaction_extras where height = 1 and name = 'genesis'`;
    expect(rows).toHaveLength(7);
  });

  test.each([
    ['after block 1', [line[0]!, chain.genesis, line[1]!]],
    ['after an empty one', [chain.emptyGenesis(), line[0]!, line[1]!, chain.genesis]],
    ['last', [...line.slice(0, 2), chain.genesis]],
  ])('counts though it comes %s', async (_, messages) => {
    await foldAll(db, messages);
    await expectSameAs([chain.genesis, line[0]!, line[1]!]);
  });

  test('that comes late leaves the stream on the tip where it is', async () => {
    const old = testChain({ release: '2.4' });
    const tip = old.mine();
    const microblock = old.microblock(tip, 2);
    await foldAll(db, [tip, microblock, old.genesis]);
    expect(await db.sql`select 1 from transactions where height = 2`).toHaveLength(2);
    await expectSameAs([old.genesis, tip, microblock]);
  });

  test('repeated empty, as nodes do at each start, takes nothing back', async () => {
    await foldAll(db, [chain.genesis, line[0]!, chain.emptyGenesis(), line[1]!, chain.emptyGenesis()]);
    await expectSameAs([chain.genesis, line[0]!, line[1]!]);
  });

  test('that is empty makes any next block the root, and the position says so', async () => {
    await foldAll(db, [chain.emptyGenesis(), line[2]!, line[3]!]);
    expect(await storedChain()).toEqual(ids(line[2]!, line[3]!));
    expect(await positionOf(db.sql)).toMatchObject({ root_mid_chain: true, height: 4 });
  });
});

describe('a burn block', () => {
  test('again changes nothing; another at its height takes the place of it and of all above', async () => {
    const chain = testChain();
    const mined = [1, 2, 3, 4].map(() => chain.burnChain.mine());
    chain.burnChain.goBack(2);
    const other = chain.burnChain.mine();
    const messages = [...mined, mined[1]!, other].map(burnMessage);
    await foldAll(db, messages);
    const rows = await db.sql<{ hash: Buffer }[]>`select hash from burn_blocks order by height`;
    const expected = [mined[0]!, mined[1]!, other].map(b => b.hash);
    expect(rows.map(r => `0x${r.hash.toString('hex')}`)).toEqual(expected);
    await expectSameAs([mined[0]!, mined[1]!, other].map(burnMessage));
  });
});

describe('a fold that is behind', () => {
  test('ends where one that kept up does, whatever the size of its batches', async () => {
    const chain = testChain({ seed: 9 });
    const line = mineLine(chain, chain.genesis, 30);
    const messages = [chain.genesis, ...line].flatMap(messagesOf);
    const fold = startFold(db);
    for (const message of messages) await append(db, [message]);
    await until(async () => (await positionOf(db.sql)).event_id === BigInt(messages.length));
    await fold.stop();
    await foldAll(fresh, messages, { batchBlocks: 7 });
    expect(differences(await dump(db.sql), await dump(fresh.sql))).toEqual([]);
  });
});
