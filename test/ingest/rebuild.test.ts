import { expect, test } from 'vitest';
import { rebuild } from '../../src/ingest/rebuild.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { append, foldAll, folded, positionOf, startFold, testNetwork } from '../support/service.ts';

const silent = { info() {}, warn() {}, error() {} };

test('a rebuild under load repairs a wrong table while events arrive and questions are answered', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 3 });
  const { genesis } = chain;
  const first = mineLine(chain, genesis, 20);
  const later = mineLine(chain, first.at(-1)!, 30);
  await foldAll(db, [genesis, ...first].flatMap(messagesOf));
  await db.sql`update stx_balances set received = received + 1`;
  const journalBefore = (await positionOf(db.sql)).journal_seq;

  const fold = startFold(db);
  let asked = 0;
  let running = true;
  const reader = (async () => {
    while (running) {
      const [row] = await db.sql`select max(height)::int as height from blocks`;
      expect(row!.height).toBeGreaterThanOrEqual(20);
      asked++;
    }
  })();
  const feeder = (async () => {
    let last = 0n;
    for (const block of later) last = await append(db, messagesOf(block));
    return last;
  })();
  await rebuild({ url: db.url, network: testNetwork, log: silent });
  const last = await feeder;
  await folded(db.sql, last);
  running = false;
  await reader;
  await fold.stop();

  const fresh = await testDatabase(t);
  await foldAll(fresh, [genesis, ...first, ...later].flatMap(messagesOf));
  expect(await dump(db.sql)).toEqual(await dump(fresh.sql));
  expect(asked).toBeGreaterThan(10);
  expect((await positionOf(db.sql)).journal_seq).toBeGreaterThan(journalBefore);
  const schemas = await db.sql`select nspname from pg_namespace where nspname like 'cairn_re%'`;
  expect(schemas).toEqual([]);
});

test('a rebuild that is told to stop leaves the tables in use as they were', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 5 });
  const { genesis } = chain;
  await foldAll(db, [genesis, ...mineLine(chain, genesis, 10)].flatMap(messagesOf));
  const before = await dump(db.sql);
  const stop = new AbortController();
  await rebuild({
    url: db.url,
    network: testNetwork,
    log: silent,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  expect(await dump(db.sql)).toEqual(before);
});

test('a rebuild clears away what one that was killed after its swap has left', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 6 });
  const { genesis } = chain;
  await foldAll(db, [genesis, ...mineLine(chain, genesis, 4)].flatMap(messagesOf));
  await db.sql`create schema cairn_retired`;
  await db.sql`create table cairn_retired.blocks (height int)`;
  const fold = startFold(db);
  t.onTestFinished(() => fold.stop());
  await rebuild({ url: db.url, network: testNetwork, log: silent });
  const schemas = await db.sql`select nspname from pg_namespace where nspname like 'cairn_re%'`;
  expect(schemas).toEqual([]);
});
