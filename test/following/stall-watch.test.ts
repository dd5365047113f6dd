import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { beforeEach, expect, test } from 'vitest';
import { StallWatch } from '../../src/app/following/stall-watch.ts';
import { judgeReadiness } from '../../src/read/status/health.ts';
import { findIngestStatus } from '../../src/read/status/status-queries.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { append, foldAll, folded, positionOf, startFold, until } from '../support/service.ts';

const chain = testChain({ seed: 61 });
const main = mineLine(chain, chain.genesis, 6);
/** Leaves the main chain at block 4, and is higher. */
const side = mineLine(chain, main[3]!, 4);

let db: TestDatabase;
beforeEach(async t => {
  db = await testDatabase(t);
});

/** Lets the tables end at a block, whatever the tree has. */
async function endAt({ height, indexHash }: BuiltBlock): Promise<void> {
  await db.sql`update fold_position set height = ${height}, index_hash = ${Buffer.from(indexHash.slice(2), 'hex')}`;
}

const silent = { info() {}, warn() {}, debug() {} };

test('tables that do not move to the best known block are reported with the reason, and not ready', async () => {
  await foldAll(db, [chain.genesis, ...main, ...side].flatMap(messagesOf));
  const lines: string[] = [];
  const line = (_: object, message: string) => void lines.push(message);
  const watch = new StallWatch({ sql: db.sql, log: { info: line, warn: line, debug: line }, patienceMs: 1 });
  await watch.look();
  expect([watch.height, watch.report, watch.seconds]).toEqual([8, null, 0]);

  await endAt(main[5]!);
  await db.sql`update fold_position set halt_reason = 'out of memory'`;
  await watch.look();
  await until(async () => watch.seconds > 0);
  await watch.look();
  expect(watch.report).toEqual({
    block_height: 8,
    index_block_hash: side[3]!.indexHash,
    since: expect.any(String),
    reason: 'out of memory',
  });
  const { ready, reason } = judgeReadiness(await findIngestStatus(db.sql), 60, [watch.check]);
  expect(ready).toBe(false);
  expect(reason).toMatch(
    /^the served chain ends at block 6, and the tables do not move to the best known block 8 \(0x.*: out of memory$/,
  );
  await endAt(side[3]!);
  await watch.look();
  expect(watch.report).toBeNull();
  expect(lines).toEqual(['the tables do not move to the best known block 8', 'the tables have moved on']);
});

test('tables that are on their way to the best block are not reported', async () => {
  await foldAll(db, [chain.genesis, ...main, ...side].flatMap(messagesOf));
  const watch = new StallWatch({ sql: db.sql, log: silent, patienceMs: 60_000 });
  await endAt(main[1]!);
  await watch.look();
  await endAt(main[2]!);
  await watch.look();
  expect([watch.report, watch.seconds]).toEqual([null, 0]);
});

test('a tip that Bitcoin has left waits for the best block that it has not left, although that is lower', async () => {
  await foldAll(db, [chain.genesis, ...main].flatMap(messagesOf));
  await db.sql`update block_tree set ruled_out = height > 4`;
  const watch = new StallWatch({ sql: db.sql, log: silent, patienceMs: 0 });
  await watch.look();
  expect(watch.report).toMatchObject({ block_height: 4, index_block_hash: main[3]!.indexHash });
  // With no better block at all, the tip stays.
  await db.sql`update block_tree set ruled_out = true where height > 0`;
  await watch.look();
  expect(watch.report).toBeNull();
});

test('an event of the log that cannot be processed is reported with the reason, and not once it is in the tables', async t => {
  await foldAll(db, [chain.genesis, ...main].flatMap(messagesOf));
  await db.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no space for this event' using errcode = '53100'; end $$;
    create trigger refuse before insert on block_tree for each row execute function refuse()
  `);
  const lines: string[] = [];
  const line = (_: object, message: string) => void lines.push(message);
  const watch = new StallWatch({ sql: db.sql, log: { info: line, warn: line, debug: line }, patienceMs: 1 });
  await watch.look();
  expect([watch.failing, watch.seconds]).toEqual([null, 0]);

  const next = main.length + 2;
  const last = await append(db, mineLine(chain, main[5]!, 1).flatMap(messagesOf));
  const fold = startFold(db, { retryMs: 20 });
  t.onTestFinished(() => fold.stop());
  const failing = await until(async () => {
    await watch.look();
    return watch.failing ?? undefined;
  });
  expect(failing).toEqual({
    event_id: expect.any(Number),
    since: expect.any(String),
    reason: expect.stringContaining('no space for this event'),
  });
  expect(failing.event_id).toBeGreaterThanOrEqual(next);
  expect(failing.event_id).toBeLessThanOrEqual(Number(last));
  const { ready, reason } = judgeReadiness(await findIngestStatus(db.sql), 60, [watch.check]);
  expect(ready).toBe(false);
  expect(reason).toMatch(/^event \d+ cannot be processed since .*: .*no space for this event/);

  await db.sql`drop trigger refuse on block_tree`;
  await folded(db.sql, last);
  await watch.look();
  expect([watch.failing, watch.seconds]).toEqual([null, 0]);
  expect(lines).toEqual([
    `event ${failing.event_id} cannot be processed; it is tried again`,
    'the tables have moved on',
  ]);
});

test('a failure without an event that waits is not reported', async () => {
  await foldAll(db, [chain.genesis, ...main].flatMap(messagesOf));
  await db.sql`update fold_position set halt_reason = 'the connection was lost'`;
  const watch = new StallWatch({ sql: db.sql, log: silent, patienceMs: 0 });
  await watch.look();
  expect([watch.failing, watch.report, watch.seconds]).toEqual([null, null, 0]);
});

test('a fold stores why it cannot apply a branch, and forgets it with the next commit', async t => {
  await foldAll(db, [chain.genesis, ...main].flatMap(messagesOf));
  const fails = `
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no space for this block' using errcode = '53100'; end $$;
    create trigger refuse before insert on blocks for each row when (new.height = 8) execute function refuse()
  `;
  await db.sql.unsafe(fails);
  const last = await append(db, side.flatMap(messagesOf));
  const fold = startFold(db, { retryMs: 20 });
  t.onTestFinished(() => fold.stop());
  const failure = await until(async () => (await positionOf(db.sql)).halt_reason ?? undefined);
  expect(failure).toContain('no space for this block');
  expect(await positionOf(db.sql)).toMatchObject({ halted_at: null });
  await db.sql`drop trigger refuse on blocks`;
  expect((await folded(db.sql, last)).height).toBe(8);
  expect((await positionOf(db.sql)).halt_reason).toBeNull();
});
