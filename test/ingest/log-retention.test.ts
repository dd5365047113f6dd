import { expect, test } from 'vitest';
import { isLow } from '../../src/app/disk-watch.ts';
import { rebuild } from '../../src/ingest/load/rebuild.ts';
import { eventById } from '../../src/ingest/log/event-reader.ts';
import { prunableTo, pruneLog } from '../../src/ingest/log/log-retention.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { foldAll, testNetwork } from '../support/service.ts';

test('pruning leaves the tables as they are and keeps what orphans and later forks need', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 21 });
  const { genesis } = chain;
  const trunk = mineLine(chain, genesis, 5);
  const loser = mineLine(chain, trunk[3]!, 2);
  const winner = mineLine(chain, trunk[3]!, 20);
  await foldAll(db, [genesis, ...trunk, ...loser, ...winner].flatMap(messagesOf));
  const before = await dump(db.sql);

  const to = await prunableTo(db.sql, 10);
  expect(to).toBeDefined();
  const removed = await pruneLog(db.sql, to!);
  expect(removed).toBeGreaterThan(10);
  expect(await dump(db.sql)).toEqual(before);
  expect(await prunableTo(db.sql, 10)).toBeUndefined();

  const orphans = await db.sql<{ event_id: bigint; height: number }[]>`
    select t.event_id, t.height from block_tree t
    where t.height = 0 or not exists (select 1 from blocks b where b.index_hash = t.index_hash)
  `;
  expect(orphans.length).toBeGreaterThan(2);
  for (const { event_id } of orphans) expect(await eventById(db.sql, event_id)).toBeDefined();

  const rival = mineLine(chain, winner[16]!, 6);
  await foldAll(db, rival.flatMap(messagesOf));
  const [tip] = await db.sql<{ height: number }[]>`select height from fold_position`;
  expect(tip!.height).toBe(rival.at(-1)!.height);
});

test('a block that came late takes no events of the blocks above it along', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 23 });
  const blocks = mineLine(chain, chain.genesis, 20);
  const late = blocks[5]!;
  const others = blocks.filter(block => block !== late);
  await foldAll(db, [chain.genesis, ...others, late].flatMap(messagesOf));
  const to = await prunableTo(db.sql, 14);
  if (to !== undefined) await pruneLog(db.sql, to);
  const kept = await db.sql<{ event_id: bigint }[]>`select event_id from block_tree where height > 6`;
  expect(kept).toHaveLength(14);
  for (const { event_id } of kept) expect(await eventById(db.sql, event_id)).toBeDefined();
});

test('a pruned log refuses a rebuild and says what to do instead', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 22 });
  await foldAll(db, [chain.genesis, ...mineLine(chain, chain.genesis, 12)].flatMap(messagesOf));
  await pruneLog(db.sql, (await prunableTo(db.sql, 5))!);
  const silent = { info() {}, warn() {}, error() {} };
  await expect(rebuild({ url: db.url, network: testNetwork, log: silent })).rejects.toThrow(
    'replay the exported files into another database',
  );
});

test('the disk is called nearly full below a tenth or five gigabytes', () => {
  expect(isLow(4e9, 20e9)).toBe(true);
  expect(isLow(50e9, 600e9)).toBe(true);
  expect(isLow(90e9, 600e9)).toBe(false);
});
