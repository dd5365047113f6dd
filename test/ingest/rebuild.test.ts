import { expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { rebuild } from '../../src/ingest/load/rebuild.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { append, foldAll, folded, positionOf, startFold, testNetwork } from '../support/service.ts';

const silent = { info() {}, warn() {}, error() {} };

test('a rebuild under load repairs a wrong table while events arrive and requests are served', async t => {
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

test('a rebuild without a service brings what the log has beyond the tables', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 4 });
  const { genesis } = chain;
  const line = mineLine(chain, genesis, 8);
  await foldAll(db, [genesis, ...line.slice(0, 5)].flatMap(messagesOf));
  const last = await append(db, line.slice(5).flatMap(messagesOf));
  await rebuild({ url: db.url, network: testNetwork, log: silent });
  expect((await positionOf(db.sql)).event_id).toBe(last);
  const fresh = await testDatabase(t);
  await foldAll(fresh, [genesis, ...line].flatMap(messagesOf));
  expect(await dump(db.sql)).toEqual(await dump(fresh.sql));
});

test('a cancelled rebuild leaves the tables in use unchanged', async t => {
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

test('a rebuild that stops at an event which the tables in use are past says so and ends', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 8 });
  const { genesis } = chain;
  const line = mineLine(chain, genesis, 4);
  await foldAll(db, [genesis, ...line].flatMap(messagesOf));
  const before = await dump(db.sql);
  // It agrees with itself, but no column takes its time.
  const unfoldable = { path: '/new_block', body: { ...chain.mine(line.at(-1)!).body, burn_block_time: 2 ** 40 } };
  let goOn = () => {};
  const caughtUp = new Promise<void>(resolve => {
    goOn = resolve;
  });
  // Nothing is swapped until the tables in use have gone past an event that the fold beside cannot take.
  const goneBy = db.sql.begin(async tx => {
    await tx`select 1 from fold_position for update`;
    await caughtUp;
    const bad = await append(db, [unfoldable]);
    await tx`update fold_position set event_id = ${String(bad)}::bigint`;
  });
  const log = { ...silent, info: (_: object, message: string) => message.startsWith('a bulk load ends') && goOn() };
  const rebuilding = rebuild({ url: db.url, network: testNetwork, log });
  await expect(rebuilding).rejects.toThrow(/stopped at event \d+, which the tables in use are past: .*cairn skip \d+/);
  await goneBy;
  expect(await dump(db.sql)).toEqual(before);
});

test('a rebuild that is past an event at which the tables in use have stopped says so and ends', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 9 });
  const { genesis } = chain;
  const [first, second, ...later] = mineLine(chain, genesis, 5);
  // The rebuild takes all blocks after the first in one transaction, so it never stands at the same event.
  const { event_id } = await foldAll(db, [genesis, first!, second!].flatMap(messagesOf));
  await append(db, later.flatMap(messagesOf));
  await db.sql`update fold_position set halted_at = ${String(event_id + 1n)}::bigint, halt_reason = 'a wrong row'`;
  const rebuilding = rebuild({ url: db.url, network: testNetwork, log: silent });
  await expect(rebuilding).rejects.toThrow(/in use have stopped at event \d+, .*: a wrong row; .*cairn skip \d+/);
});

test('a second rebuild at the same time is refused and does not disturb the first', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 10 });
  const { genesis } = chain;
  await foldAll(db, [genesis, ...mineLine(chain, genesis, 4)].flatMap(messagesOf));
  await db.sql`update stx_balances set received = received + 1`;
  const wrong = await dump(db.sql);
  let second: Promise<void> | undefined;
  await rebuild({
    url: db.url,
    network: testNetwork,
    log: silent,
    onProgress: () => {
      second ??= expect(rebuild({ url: db.url, network: testNetwork, log: silent })).rejects.toThrow(
        new UsageError(
          'another rebuild or a snapshot of this database is running: wait until it has ended, or stop it first',
        ),
      );
    },
  });
  await second;
  expect(await dump(db.sql)).not.toEqual(wrong);
});
