import { expect, test } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { Housekeeping } from '../../src/ingest/fold/housekeeping.ts';
import { finishBulkLoad } from '../../src/ingest/load/bulk-load.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { append, foldAll, folded, startFold, until } from '../support/service.ts';

const silent = { info() {}, warn() {}, error() {} };

/** A chain with a fork that wins, so that a load has to go back. */
function forkedChain() {
  const chain = testChain({ seed: 7 });
  const { genesis } = chain;
  const trunk = mineLine(chain, genesis, 12);
  const loser = mineLine(chain, trunk[8]!, 2);
  const winner = mineLine(chain, trunk[8]!, 6);
  return [genesis, ...trunk, ...loser, ...winner].flatMap(messagesOf);
}

const indexNames = (sql: Awaited<ReturnType<typeof testDatabase>>['sql']) =>
  sql`select indexname from pg_indexes where schemaname = 'public' order by 1`;

test('a bulk load, interrupted and resumed, ends with the tables and indexes of a plain fold', async t => {
  const messages = forkedChain();
  const [plain, bulk] = [await testDatabase(t), await testDatabase(t)];
  await foldAll(plain, messages);

  const half = Math.floor(messages.length / 2);
  await foldAll(bulk, messages.slice(0, half), { bulk: true, batchBlocks: 3 });
  expect((await indexNames(bulk.sql)).length).toBeLessThan((await indexNames(plain.sql)).length);
  await foldAll(bulk, messages.slice(half), { bulk: true });
  const sql = connect(bulk.url, { max: 3, name: 'test' });
  await finishBulkLoad(sql, silent).finally(() => sql.end());

  expect(await dump(bulk.sql)).toEqual(await dump(plain.sql));
  expect(await indexNames(bulk.sql)).toEqual(await indexNames(plain.sql));
});

test('after a load, and each hundred blocks, a rollback finds the pages of its height', async t => {
  const db = await testDatabase(t);
  await foldAll(db, forkedChain(), { bulk: true });
  const sql = connect(db.url, { max: 3, name: 'test' });
  t.onTestFinished(() => sql.end());
  await finishBulkLoad(sql, silent);
  expect(await newSummaries(sql)).toBe(0);

  // So many rows fill pages that have no summary yet.
  await sql`insert into miner_reward_totals select 1, height, 0, 0, 0 from generate_series(1000, 9000) as height`;
  const housekeeping = new Housekeeping(sql, silent);
  housekeeping.reached(900);
  housekeeping.reached(1000);
  await housekeeping.settled();
  expect(await newSummaries(sql)).toBe(0);
});

/** Ranges of pages that had no summary until now. */
async function newSummaries(sql: Sql): Promise<number> {
  const [row] = await sql<{ ranges: number }[]>`
    select sum(brin_summarize_new_values(i.indexrelid))::int as ranges
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_am a on a.oid = c.relam and a.amname = 'brin'
    where c.relnamespace = current_schema()::regnamespace
  `;
  return row!.ranges;
}

test('a fold that starts after a load was left half-way ends it first', async t => {
  const messages = forkedChain();
  const [plain, bulk] = [await testDatabase(t), await testDatabase(t)];
  await foldAll(plain, messages);
  await foldAll(bulk, messages, { bulk: true });
  const fold = startFold(bulk);
  await folded(bulk.sql, await append(bulk, [{ path: '/unknown', body: '{}' }]));
  await fold.stop();
  expect(await dump(bulk.sql)).toEqual(await dump(plain.sql));
});

test('a fold that is stopped while it builds indexes gives them up at once, and the next one goes on', async t => {
  const messages = forkedChain();
  const [plain, bulk] = [await testDatabase(t), await testDatabase(t)];
  await foldAll(plain, messages);
  await foldAll(bulk, messages, { bulk: true });

  // An index is built once nobody writes to its table: as long as this writer stays, the building takes.
  await bulk.sql.begin(async writer => {
    await writer`lock table events in row exclusive mode`;
    const fold = startFold(bulk);
    const building = () => bulk.sql<{ query: string }[]>`
      select a.query
      from pg_stat_activity a
      where a.datname = current_database() and a.wait_event_type = 'Lock' and a.query like 'CREATE INDEX%'
    `;
    await until(async () => (await building()).length > 0);
    await fold.stop();
    expect(fold.lines.filter(line => line.level !== 'info')).toEqual([]);
    expect(await building()).toEqual([]);
  });
  const [left] = await bulk.sql<{ count: number }[]>`select count(*)::int as count from deferred_indexes`;
  expect(left!.count).toBeGreaterThan(0);

  const next = startFold(bulk);
  await folded(bulk.sql, await append(bulk, [{ path: '/unknown', body: '{}' }]));
  await next.stop();
  expect(await dump(bulk.sql)).toEqual(await dump(plain.sql));
  expect(await indexNames(bulk.sql)).toEqual(await indexNames(plain.sql));
});

test('a bulk load is refused where blocks have been folded', async t => {
  const messages = forkedChain();
  const db = await testDatabase(t);
  await foldAll(db, messages.slice(0, 4));
  const before = await indexNames(db.sql);
  await foldAll(db, messages.slice(4), { bulk: true });
  expect(await indexNames(db.sql)).toEqual(before);
});
