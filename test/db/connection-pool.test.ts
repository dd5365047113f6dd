import { describe, expect, type TestContext, test } from 'vitest';
import { readAddress } from '../../src/db/address.ts';
import { type ConnectOptions, connect, PIPELINED_CONNECTIONS } from '../../src/db/client.ts';
import { ConnectionPool } from '../../src/db/pool/connection-pool.ts';
import { Request } from '../../src/db/pool/request.ts';
import { emptyDatabase } from '../support/database.ts';
import { holdLock } from './held-lock.ts';
import { openProxy } from './tcp-proxy.ts';

async function openPool(t: TestContext, options: Partial<ConnectOptions>) {
  const { url, sql: admin } = await emptyDatabase(t);
  const sql = connect(url, { max: PIPELINED_CONNECTIONS + 3, name: 'shared', pipelined: true, ...options });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const processOf = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid;
  const connections = async () =>
    (await admin`select pid from pg_stat_activity where application_name = 'shared'`).map(row => row.pid as number);
  return { sql, admin, url, processOf, connections };
}

describe('a statement goes', () => {
  test('to the shared connections while none of them is slow', async t => {
    const { processOf } = await openPool(t, {});
    const seen = new Set<number>();
    for (let round = 0; round < 20; round++) seen.add(await processOf());
    expect(seen.size).toBeLessThanOrEqual(PIPELINED_CONNECTIONS);
  });

  test('past a connection that a slow one holds up, and back when that was answered', async t => {
    const { sql, admin, processOf } = await openPool(t, {});
    const before = await processOf();
    const release = await holdLock(t, admin);
    const slow = sql`select pg_backend_pid() as pid, pg_advisory_lock_shared(7)`;
    const answered = slow.then(rows => rows[0]!.pid as number);
    const held = () =>
      admin`select 1 from pg_stat_activity where application_name = 'shared' and wait_event = 'advisory'`;
    await expect.poll(held).toHaveLength(1);
    const meanwhile = await processOf();
    await release();
    const busy = await answered;
    expect(meanwhile).not.toBe(busy);
    if (PIPELINED_CONNECTIONS === 1) expect([busy, await processOf()]).toEqual([before, before]);
  });
});

test('a read that was sent behind a statement before it was slow does not wait for its end', async t => {
  const { sql, admin, processOf } = await openPool(t, { readOnly: true });
  await processOf();
  const release = await holdLock(t, admin);
  const ended: string[] = [];
  const slow = sql`select pg_advisory_lock_shared(7)`.then(() => ended.push('slow'));
  await Promise.all(Array.from({ length: 3 }, processOf));
  ended.push('quick');
  await release();
  await slow;
  expect(ended).toEqual(['quick', 'slow']);
});

test('a write is never sent twice, whatever it waits for', async t => {
  const { sql, admin } = await openPool(t, { max: 2 });
  await admin`create table written (n int)`;
  await sql`select 1`;
  await Promise.all([sql`select pg_sleep(0.5)`, sql`insert into written values (1)`]);
  expect(await admin`select n from written`).toHaveLength(1);
});

test('a transaction has a connection for itself, one that statements use last', async t => {
  const { sql, processOf } = await openPool(t, {});
  await sql.begin(async tx => {
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const others = await Promise.all(Array.from({ length: 10 }, processOf));
    expect(others).not.toContain(own!.pid);
  });
});

test('transactions wait for one another where there are not enough connections', async t => {
  const { sql } = await openPool(t, { max: 1 });
  const done = await Promise.all(
    Array.from({ length: 5 }, (_, n) => sql.begin(async tx => (await tx`select ${n}::int as n`)[0]!.n)),
  );
  expect(done).toEqual([0, 1, 2, 3, 4]);
});

test('what fails in a transaction takes all of it back, and the connection is used again', async t => {
  const { sql, admin, connections } = await openPool(t, { max: 1, pipelined: false });
  await admin`create table written (n int)`;
  const failed = sql.begin(async tx => {
    await tx`insert into written values (1)`;
    await tx`select 1 / 0`;
  });
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  // An error that nobody looks at must not pass for a commit.
  const swallowed = sql.begin(async tx => {
    await tx`insert into written values (2)`;
    await tx`select 1 / 0`.catch(() => {});
  });
  await expect(swallowed).rejects.toThrow('rolled back');
  let leaked = sql;
  await sql.begin(async tx => {
    await tx`insert into written values (3)`;
    leaked = tx as typeof sql;
  });
  await expect(leaked`select 1`).rejects.toThrow('the transaction is over');
  expect((await admin`select n from written`).map(row => row.n)).toEqual([3]);
  expect(await connections()).toHaveLength(1);
});

test('a statement in flight with others is not cancelled', async t => {
  const { sql } = await openPool(t, { max: 1 });
  await sql`select 1`;
  const slow = sql`select pg_sleep(0.3), 1 as n`;
  const first = slow.then(rows => rows[0]!.n);
  const second = sql`select 2 as n`.then(rows => rows[0]!.n);
  slow.cancel();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
});

test('a statement that waits for a connection is cancelled without asking the server', async t => {
  const { sql } = await openPool(t, { max: 1, pipelined: false });
  await sql`select 1`;
  const slow = sql`select pg_sleep(0.3), 1 as n`;
  const first = slow.then(rows => rows[0]!.n);
  const waiting = sql`select 2 as n`;
  const second = waiting.then(
    () => 'answered',
    error => error.code,
  );
  waiting.cancel();
  expect(await Promise.all([first, second])).toEqual([1, '57014']);
});

test('a server that refuses connections is told to all at once, transactions too', async t => {
  const { url } = await emptyDatabase(t);
  const wrong = new URL(url);
  wrong.pathname = '/nowhere';
  const sql = connect(wrong.href, {
    max: 4,
    name: 'refused',
    pipelined: true,
    readOnly: true,
    statementTimeoutMs: 20_000,
  });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const asked = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? sql.begin(tx => tx`select 1`) : sql`select 1`));
  const codes = (await Promise.allSettled(asked)).map(result => result.status === 'rejected' && result.reason.code);
  expect(new Set(codes)).toEqual(new Set(['3D000']));
});

test('a statement without a time limit fails when the server no longer works on it', async t => {
  const { url } = await emptyDatabase(t);
  const proxy = await openProxy(t, url);
  const sql = connect(proxy.url, { max: 1, name: 'long', silentMs: 1000 });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  await sql`select 1`;
  proxy.blackhole();
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
});

test('a long statement goes on where the server has no connection left to ask about it', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  const role = `limited_${process.pid}`;
  await admin.unsafe(`create role ${role} login password 'secret' connection limit 1`);
  const limited = new URL(url);
  limited.username = role;
  limited.password = 'secret';
  const sql = connect(limited.href, { max: 1, name: 'limited', silentMs: 200 });
  t.onTestFinished(async () => {
    await sql.end({ timeout: 1 });
    await admin.unsafe(`drop role ${role}`);
  });
  expect(await sql`select pg_sleep(1.5), 1 as n`).toMatchObject([{ n: 1 }]);
});

test('connections that were given up with their statements are not held any longer than those take', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  const options = { address: readAddress(url), name: 'given up', settings: {}, connectTimeoutMs: 5000, silentMs: 1000 };
  const pool = new ConnectionPool({ ...options, max: 2, shared: 1, repeatable: true, timeoutMs: 20_000 });
  t.onTestFinished(() => pool.end(1000));
  const ask = (text: string) => {
    const request = new Request(text, [], { simple: true, timeoutMs: 20_000 });
    pool.send(request);
    return request;
  };
  for (let i = 0; i < 5; i++) {
    const slow = ask('select pg_sleep(600)');
    const code = slow.then(
      () => 'answered',
      error => (error as { code: string }).code,
    );
    // A cancellation that arrives before its statement has begun has no effect.
    const active = () =>
      admin`select 1 from pg_stat_activity where application_name = 'given up' and wait_event = 'PgSleep'`;
    await expect.poll(active).toHaveLength(1);
    slow.cancel();
    await ask('select 1'); // looks for a connection while the other one is given up
    expect(await code).toBe('57014');
  }
  const held = async () => {
    await ask('select 1');
    return pool.size;
  };
  await expect.poll(held).toBeLessThanOrEqual(2);
});
