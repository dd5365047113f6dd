import { beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { Writer } from '../../src/db/writer.ts';
import { type Executable, Executor } from '../../src/ingest/fold/executor.ts';
import { isTransient } from '../../src/ingest/fold/failure.ts';
import { OwnedState } from '../../src/ingest/fold/state.ts';
import { UnknownItems } from '../../src/ingest/fold/unknown-items.ts';
import { FoldWriter } from '../../src/ingest/fold/writer.ts';
import { eventById, readEvents } from '../../src/ingest/log/event-reader.ts';
import { parseMessage } from '../../src/node/json.ts';
import { replayJournal } from '../model/journal.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import { append, foldAll, folded, positionOf, startFold, testNetwork, until } from '../support/service.ts';

const chain = testChain({ seed: 21 });
const blocks = mineLine(chain, chain.genesis, 12, { transactions: 2 });
const messages = [chain.genesis, ...blocks];

let db: TestDatabase;

beforeEach(async t => {
  db = await testDatabase(t);
});

/** A writer as one more process would have it, without the lock that keeps well-behaved ones apart. */
async function openWriter(onEnd: (work: () => Promise<void>) => void) {
  const sql = connect(db.url, { max: 2, name: 'another fold' });
  const connection = await Writer.open(db.url, 'another fold writer', {});
  onEnd(async () => {
    await connection.end();
    await sql.end({ timeout: 1 });
  });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const writer = await FoldWriter.open({ sql, connection, network: testNetwork, log });
  const state = await OwnedState.load(sql, testNetwork, writer.position);
  const unknown = await UnknownItems.open(sql, log);
  const executor = new Executor({ sql, writer, state, unknown, log, batchBlocks: 1 });
  return {
    position: writer.position,
    /** What every fold does first: the one before may have ended between a block's place in the tree and its rows. */
    settle: () => executor.moveToBest(),
    /** Folds the event with this id. */
    async fold(id: bigint): Promise<void> {
      const event = (await eventById(sql, id))!;
      const incoming = { event, message: parseMessage(event.body) };
      await executor.prepare([incoming]);
      await executor.carryOut((await executor.decide(incoming, [incoming])) as Executable);
      await executor.flush();
      await writer.settled();
    },
  };
}

describe('of two writers at once', () => {
  test('the first fails its next commit and leaves nothing of it', async t => {
    await append(db, messages);
    const first = await openWriter(t.onTestFinished);
    for (const id of [1n, 2n, 3n]) await first.fold(id);
    const second = await openWriter(t.onTestFinished);
    const before = await dump(db.sql);

    await expect(first.fold(4n)).rejects.toMatchObject({ code: 'CAIRN' });
    expect(await dump(db.sql)).toEqual(before);
    expect(await db.sql`select 1 from block_tree where height = 3`).toHaveLength(0);
    expect((await positionOf(db.sql)).event_id).toBe(3n);

    await second.fold(4n);
    expect(await positionOf(db.sql)).toMatchObject({ event_id: 4n, height: 3 });
  });

  test('a fork cannot be committed by the one that lost', async t => {
    const side = mineLine(chain, blocks[0]!, 3);
    await append(db, [chain.genesis, ...blocks.slice(0, 3), side[0]!, side[1]!, side[2]!]);
    const first = await openWriter(t.onTestFinished);
    for (const id of [1n, 2n, 3n, 4n, 5n, 6n]) await first.fold(id);
    await openWriter(t.onTestFinished);
    const before = await dump(db.sql);
    await expect(first.fold(7n)).rejects.toMatchObject({ code: 'CAIRN' });
    expect(await dump(db.sql)).toEqual(before);
  });

  test('each event is committed once, however they race', async t => {
    await append(db, messages);
    const outcomes: string[] = [];
    let writer = await openWriter(t.onTestFinished);
    for (let id = 1n; id <= BigInt(messages.length); id++) {
      const [other] = await Promise.all([
        openWriter(t.onTestFinished),
        writer.fold(id).then(
          () => outcomes.push('committed'),
          error => outcomes.push(error.code),
        ),
      ]);
      // Whoever took over goes on from what was committed, be it before or after its arrival.
      await other.settle();
      if (other.position.eventId < id) await other.fold(id);
      writer = other;
    }
    expect(new Set(outcomes)).toEqual(new Set(outcomes.filter(o => o === 'committed' || o === 'CAIRN')));
    expect(await positionOf(db.sql)).toMatchObject({ event_id: BigInt(messages.length), height: 12 });
    expect(await replayJournal(db.sql)).toEqual(blocks.map(b => b.indexHash));
    const fresh = await testDatabase(t);
    await foldAll(fresh, messages);
    expect(differences(await dump(db.sql), await dump(fresh.sql))).toEqual([]);
  });

  test('the one that read an older position is refused, though it is named in the row', async () => {
    await foldAll(db, messages.slice(0, 3));
    const { writer } = await positionOf(db.sql);
    const stale = db.sql`select fence(${String(writer)}::bigint, 1)`;
    await expect(stale).rejects.toMatchObject({ code: 'CAIRN' });
    await db.sql`select fence(${String(writer)}::bigint, 3)`;
  });
});

test('a fold that lost the fence says who has it, and not that the database is gone', async () => {
  const fold = startFold(db, { retryMs: 20 });
  await folded(db.sql, await append(db, messages.slice(0, 3)));
  await db.sql`update fold_position set writer = writer + 1`;
  await until(async () => {
    await append(db, [messages[3]!]);
    return fold.lines.some(line => line.level === 'warn');
  });
  await folded(db.sql, await append(db, messages.slice(3)));
  await fold.stop();
  expect(fold.lines.filter(line => line.level === 'warn').map(line => line.message)).toEqual([
    'another writer has taken over the fold; this one stands by',
  ]);
  expect(await replayJournal(db.sql)).toEqual(blocks.map(b => b.indexHash));
});

describe('a hot standby', () => {
  test('waits while the first folds, and takes over when it stops', async () => {
    const last = await append(db, messages.slice(0, 6));
    const first = startFold(db, { retryMs: 20 });
    await folded(db.sql, last);
    const { writer } = await positionOf(db.sql);
    const standby = startFold(db, { retryMs: 20 });
    await append(db, messages.slice(6, 8));
    await until(async () => (await positionOf(db.sql)).event_id === 8n);
    expect((await positionOf(db.sql)).writer).toBe(writer);

    await first.stop();
    await append(db, messages.slice(8));
    await until(async () => (await positionOf(db.sql)).height === 12);
    expect((await positionOf(db.sql)).writer).toBe(writer + 1n);
    await standby.stop();
    expect(await replayJournal(db.sql)).toEqual(blocks.map(b => b.indexHash));
  });

  test('takes over when the first loses its connection, and nothing is folded twice', async () => {
    const folds = [startFold(db, { retryMs: 20 }), startFold(db, { retryMs: 20 })];
    for (const message of messages) {
      const id = await append(db, [message]);
      await db.sql`
        select pg_terminate_backend(a.pid)
        from pg_stat_activity a
        where a.datname = current_database() and a.application_name = 'cairn fold writer'
          and exists (select 1 from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.granted)
      `;
      await until(async () => (await positionOf(db.sql)).event_id >= id);
    }
    await Promise.all(folds.map(fold => fold.stop()));
    expect((await positionOf(db.sql)).writer).toBeGreaterThan(3n);
    expect(await replayJournal(db.sql)).toEqual(blocks.map(b => b.indexHash));
    expect(await readEvents(db.sql, BigInt(messages.length))).toEqual([]);
  });
});

test('a connection that ends under a statement, or before it, is no fault of the event', async () => {
  const connection = await Writer.open(db.url, 'lost writer', {});
  const failure = connection.query('select pg_sleep(600)').catch((error: unknown) => error);
  await expect
    .poll(
      () => db.sql`
        select pg_terminate_backend(pid)
        from pg_stat_activity
        where application_name = 'lost writer' and state = 'active' and query like '%pg_sleep%'
      `,
    )
    .toHaveLength(1);
  expect(isTransient(await failure)).toBe(true);
  expect(isTransient(await connection.query('select 1').catch((error: unknown) => error))).toBe(true);
  await connection.end();
  expect(isTransient(new Error('block height 7 does not follow'))).toBe(false);
});
