import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, type Pool } from '../../src/db/client.ts';
import { EventLog, EventLogError, type NewEvent } from '../../src/ingest/log/event-log.ts';
import { eventBatches, eventById, readEvents } from '../../src/ingest/log/event-reader.ts';
import { appendRows, EVENTS_CHANNEL } from '../../src/ingest/log/event-rows.ts';
import { compressBody, PayloadWriter } from '../../src/ingest/log/payload.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { until } from '../support/service.ts';

let db: TestDatabase;
let sql: Pool;
let log: EventLog;
const pools: Pool[] = [];

beforeAll(async () => {
  db = await testDatabase();
  sql = db.sql;
});
afterAll(async () => {
  await Promise.all(pools.map(pool => pool.end({ timeout: 1 })));
  await db.drop();
});
beforeEach(async () => {
  await sql`truncate event_log, event_paths, event_sources`;
  await sql`update event_log_head set last_id = 0`;
  log = new EventLog(sql);
});

const event = (body: Buffer | string, path = '/new_block'): NewEvent => ({
  path,
  source: 'node 10.0.0.7',
  at: new Date('2025-01-02T03:04:05.678Z'),
  body: Buffer.from(body),
});

/** A further process as far as the database can tell. */
function otherPool(settings = {}): Pool {
  const pool = connect(db.url, { max: 2, name: 'other appender', ...settings });
  pools.push(pool);
  return pool;
}

/** Holds the lock that orders ids until it is released. */
async function holdHead(): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  let held = () => {};
  const holding = new Promise<void>(resolve => {
    held = resolve;
  });
  const done = otherPool().begin(async tx => {
    await tx`select last_id from event_log_head for update`;
    held();
    await released;
  });
  await holding;
  return async () => {
    release();
    await done;
  };
}

const waitsForLock = async () => {
  const [row] = await sql<{ n: bigint }[]>`
    select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `;
  return row!.n > 0n;
};

describe('an append', () => {
  test('is stored to the byte with its path, source, time, size and hash', async () => {
    const body = Buffer.from('{"text":"\\u0000 naïve"}\0\xff', 'latin1');
    const id = await log.append({ ...event(body), at: '2024-03-13 15:34:10.446375+00' });
    const [read] = await readEvents(sql, 0n);
    expect(read).toEqual({
      id,
      at: new Date('2024-03-13T15:34:10.446Z'),
      atText: '2024-03-13 15:34:10.446375+00',
      path: '/new_block',
      source: 'node 10.0.0.7',
      body,
    });
    const [row] = await sql<{ size: number; hash: Buffer }[]>`select size, hash from event_log`;
    expect(row).toEqual({ size: body.length, hash: (await compressBody(body)).hash });
  });

  test('of an empty body is stored too', async () => {
    await log.append(event(''));
    expect((await readEvents(sql, 0n))[0]!.body).toHaveLength(0);
  });

  test('of a large body goes in slices, whether it came whole or compressed on the way', async () => {
    const body = randomBytes(19 << 20);
    const writer = new PayloadWriter();
    for (let from = 0; from < body.length; from += 1 << 20) await writer.write(body.subarray(from, from + (1 << 20)));
    await log.append(event(body));
    await log.append({ ...event(''), body: await writer.finish() });
    for (const id of [1n, 2n]) expect((await eventById(sql, id))!.body.equals(body)).toBe(true);
    const rows = await sql<{ hash: Buffer }[]>`select distinct hash from event_log`;
    expect(rows).toHaveLength(1);
  });

  test('announces the newest id when it commits', async () => {
    const heard: string[] = [];
    const listening = await otherPool().listen(EVENTS_CHANNEL, id => heard.push(id));
    await log.append(event('{}'));
    await log.append(event('{}'));
    await until(() => heard.length === 2);
    expect(heard).toEqual(['1', '2']);
    await listening.unlisten();
  });

  test('waits for the disk even where the server commits lazily', async () => {
    await sql`create table probe (setting text)`;
    await sql.unsafe(`
      create function note_setting() returns trigger language plpgsql as $$
      begin insert into probe values (current_setting('synchronous_commit')); return null; end $$;
      create constraint trigger at_commit after insert on event_log deferrable initially deferred
      for each row execute function note_setting()`);
    const lazy = otherPool({ name: 'lazy' });
    await lazy`set synchronous_commit = off`;
    await new EventLog(lazy).append(event('{}'));
    expect(await sql`select setting from probe`).toEqual([{ setting: 'on' }]);
    await sql.unsafe('drop function note_setting cascade; drop table probe');
  });
});

describe('the order of ids', () => {
  test('is the order of arrival, though a later and smaller event is compressed sooner', async () => {
    const slow = randomBytes(6 << 20);
    const ids = await Promise.all([log.append(event(slow)), ...[1, 2, 3].map(n => log.append(event(`${n}`)))]);
    expect(ids).toEqual([1n, 2n, 3n, 4n]);
    expect((await eventById(sql, 2n))!.body.toString()).toBe('1');
  });

  test('is the order of commits: an append that commits late is not stepped over', async () => {
    const other = new EventLog(sql);
    const rows = await other.rowsOf([{ ...event(''), body: await compressBody(Buffer.from('"late"')) }]);
    let commit = () => {};
    const mayCommit = new Promise<void>(resolve => {
      commit = resolve;
    });
    let appended = () => {};
    const hasAppended = new Promise<void>(resolve => {
      appended = resolve;
    });
    const late = otherPool().begin(async tx => {
      const id = await appendRows(tx, rows);
      appended();
      await mayCommit;
      return id;
    });
    await hasAppended;
    let quickIsDone = false;
    const quick = log.append(event('"quick"')).finally(() => {
      quickIsDone = true;
    });
    // Either it waits for the lock, as it must, or it commits first and the reader below would see it.
    await until(async () => quickIsDone || (await waitsForLock()));
    expect((await readEvents(sql, 0n)).map(read => read.id)).toEqual([]);
    commit();
    expect(await late).toBeLessThan(await quick);
    expect((await readEvents(sql, 0n)).map(read => read.body.toString())).toEqual(['"late"', '"quick"']);
  });

  test('has no gap that a reader could miss, with four appenders at once', async () => {
    const logs = [log, ...[1, 2, 3].map(() => new EventLog(otherPool()))];
    let appending = true;
    const appends = Promise.all(
      logs.map(async (each, who) => {
        for (let n = 0; n < 40; n++) {
          await Promise.all([each.append(event(`[${who},${n},0]`)), each.append(event(`[${who},${n},1]`))]);
        }
      }),
    ).finally(() => {
      appending = false;
    });
    const seen: bigint[] = [];
    for (let more = true; more; ) {
      more = appending;
      for (const read of await readEvents(sql, seen.at(-1) ?? 0n)) seen.push(read.id);
    }
    await appends;
    expect(seen).toEqual(Array.from({ length: 320 }, (_, i) => BigInt(i + 1)));
  });
});

describe('events that wait', () => {
  test('share one commit', async () => {
    const release = await holdHead();
    const first = log.append(event('"first"'));
    await until(waitsForLock);
    const others = Array.from({ length: 40 }, (_, n) => log.append(event(`${n}`)));
    await release();
    expect(await Promise.all([first, ...others])).toEqual(Array.from({ length: 41 }, (_, i) => BigInt(i + 1)));
    const [row] = await sql<{ n: bigint }[]>`select count(distinct xmin::text) as n from event_log`;
    expect(row!.n).toBe(2n);
  });

  test('are bounded in bytes: events beyond the limit wait in order', async () => {
    const bounded = new EventLog(sql, { queueBytes: 10_000 });
    const release = await holdHead();
    const appends = Array.from({ length: 50 }, () => bounded.append(event(randomBytes(3000))));
    await until(waitsForLock);
    expect(bounded.pending).toBeGreaterThan(46);
    await release();
    expect(await Promise.all(appends)).toEqual(Array.from({ length: 50 }, (_, i) => BigInt(i + 1)));
  });

  test('are finished before the log is closed', async () => {
    const appends = [log.append(event('1')), log.append(event('2'))];
    await log.close();
    expect(await Promise.all(appends)).toEqual([1n, 2n]);
    await expect(log.append(event('3'))).rejects.toThrow(EventLogError);
  });
});

describe('a failure', () => {
  const refuseWith = (code: string, when = 'true') =>
    sql.unsafe(`
      create or replace function refuse() returns trigger language plpgsql as $$
      begin if ${when} then raise exception 'no space left on device' using errcode = '${code}'; end if; return new; end $$;
      create or replace trigger refuse before insert on event_log for each row execute function refuse()`);
  const accept = () => sql.unsafe('drop function if exists refuse cascade');

  test('of a full disk rejects the event, stores nothing of it, and ends when there is space again', async () => {
    await log.append(event('1'));
    await refuseWith('53100');
    await expect(log.append(event('2'))).rejects.toThrow(/no space left/);
    await expect(log.append(event('2'))).rejects.toBeInstanceOf(EventLogError);
    await accept();
    expect(await log.append(event('2'))).toBe(2n);
    expect(await readEvents(sql, 0n)).toHaveLength(2);
  });

  test('of one value does not refuse the others of its commit', async () => {
    await refuseWith('22000', 'new.size = 3');
    const release = await holdHead();
    const appends = Promise.allSettled(['1', '22', '333', '4444', '55555'].map(body => log.append(event(body))));
    await until(waitsForLock);
    await release();
    const outcomes = (await appends).map(outcome => outcome.status);
    await accept();
    expect(outcomes).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect((await readEvents(sql, 0n)).map(read => read.id)).toEqual([1n, 2n, 3n, 4n]);
  });

  test('of the connection rejects the events in flight; the next append connects again', async () => {
    const pool = otherPool({ name: 'victim' });
    const victim = new EventLog(pool);
    await victim.append(event('1'));
    const release = await holdHead();
    const append = victim.append(event('2'));
    append.catch(() => {});
    await until(waitsForLock);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'`;
    await expect(append).rejects.toBeInstanceOf(EventLogError);
    await release();
    expect(await victim.append(event('3'))).toBe(2n);
    expect((await readEvents(sql, 0n)).map(read => read.body.toString())).toEqual(['1', '3']);
  });

  test('to commit in time refuses the event', async () => {
    const hasty = new EventLog(sql, { commitTimeoutMs: 1_500 });
    await hasty.append(event('1'));
    const release = await holdHead();
    await expect(hasty.append(event('2'))).rejects.toThrow('no commit within 1500 ms');
    await until(async () => !(await waitsForLock()));
    await release();
    expect(await hasty.append(event('3'))).toBe(2n);
  });
});

describe('names', () => {
  test('get one number each, however many processes meet them first', async () => {
    const logs = [log, new EventLog(otherPool()), new EventLog(otherPool())];
    await Promise.all(
      logs.flatMap(each => Array.from({ length: 15 }, (_, n) => each.append(event('{}', `/path/${n}`)))),
    );
    const [row] = await sql<{ paths: bigint; used: bigint }[]>`
      select (select count(*) from event_paths) as paths, (select count(distinct path) from event_log) as used
    `;
    expect(row).toEqual({ paths: 15n, used: 15n });
  });

  test('that strangers invent share one beyond a bound; the paths of nodes are never among them', async () => {
    await sql`insert into event_paths (id, path) select n, '/invented/' || n from generate_series(1, 1000) n`;
    await log.append(event('{}', '/one/more'));
    await log.append(event('{}', '/new_burn_block'));
    await log.append(event('{}', `/${'x'.repeat(500)}\0`));
    expect((await readEvents(sql, 0n)).map(read => read.path)).toEqual(['/other', '/new_burn_block', '/other']);
  });
});

describe('reading', () => {
  test('goes by batches bounded in count and bytes; a larger event comes alone', async () => {
    const sizes = [10, 10, 10, 5000, 10, 0, 900, 10];
    for (const size of sizes) await log.append(event(Buffer.alloc(size, ' ')));
    const batches: number[][] = [];
    for await (const batch of eventBatches(sql, 0n, { maxBytes: 1000, maxCount: 2 })) {
      batches.push(batch.map(read => read.body.length));
    }
    expect(batches).toEqual([[10, 10], [10], [5000], [10, 0], [900, 10]]);
    expect(await readEvents(sql, 2n, { upTo: 3n })).toHaveLength(1);
    expect(await readEvents(sql, 8n)).toEqual([]);
    expect(await eventById(sql, 99n)).toBeUndefined();
  });

  test('ahead of a caller that leaves early fails nowhere', async () => {
    for (const body of ['1', '2', '3']) await log.append(event(body));
    const pool = otherPool();
    for await (const batch of eventBatches(pool, 0n, { maxCount: 1 })) {
      expect(batch).toHaveLength(1);
      break;
    }
    await pool.end();
  });

  test('ahead that fails while the caller works is reported when the caller asks for that batch', async () => {
    for (const body of ['a', 'b', 'c']) await log.append(event(body));
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    let reads = 0;
    const losing = new Proxy(sql, {
      apply(_, self, args: [TemplateStringsArray, ...unknown[]]) {
        const isRead = args[0].join('').includes('from event_log');
        if (isRead && ++reads === 2) return Promise.reject(new Error('the connection was lost'));
        return Reflect.apply(sql, self, args);
      },
    });
    try {
      const batches = eventBatches(losing, 0n, { maxCount: 1 });
      expect((await batches.next()).value).toHaveLength(1);
      await turn(); // Node.js has told of each rejection by then
      expect(unhandled).toEqual([]);
      await expect(batches.next()).rejects.toThrow('the connection was lost');
    } finally {
      process.off('unhandledRejection', onUnhandled);
    }
  });

  test('a damaged payload names the event', async () => {
    await log.append(event('{}'));
    await sql`update event_log set payload = 'junk'`;
    await expect(readEvents(sql, 0n)).rejects.toThrow('reading event 1 from the log');
  });
});
