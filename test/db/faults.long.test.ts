import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { apiReads, connect, type Pool } from '../../src/db/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { serverPid, start, temporaryFolder } from './embedded-support.ts';
import { createThings, type Reads, startReads } from './steady-reads.ts';
import { openProxy } from './tcp-proxy.ts';

/** A statement fails after 2 s without an answer where a test says so; else it waits as long as a busy machine needs. */
function openPool(t: TestContext, url: string, statementTimeoutMs = 120_000): Pool {
  const sql = connect(url, { max: 4, name: 'faults', ...apiReads, statementTimeoutMs });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

/** Waits for 100 more answers. */
async function untilResponse({ outcome }: Reads): Promise<void> {
  const before = outcome.answered;
  await expect.poll(() => outcome.answered - before).toBeGreaterThan(100);
}

/** Waits until all reads that are in progress have ended, with an answer or without. */
async function untilSettled(reads: Reads): Promise<void> {
  const now = performance.now();
  await expect.poll(reads.oldest).toBeGreaterThan(now);
}

test('no answer holds the rows of another while a column changes its type under the reads', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  await createThings(admin);
  const reads = startReads(openPool(t, url));
  await untilResponse(reads);
  for (const type of ['varchar(50)', 'text', 'varchar(60)', 'text', 'varchar(70)', 'text']) {
    await admin.unsafe(`alter table things alter column name type ${type}`);
    await untilResponse(reads);
  }
  const { wrong, failed } = await reads.stop();
  expect(wrong).toBe(0);
  expect([...failed]).toEqual([]);
});

test('reads whose connections are terminated are asked again on others', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  await createThings(admin);
  const reads = startReads(openPool(t, url));
  for (let round = 0; round < 5; round++) {
    await untilResponse(reads);
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'faults'`;
    // A read that lost its second connection too may fail.
    await untilSettled(reads);
  }
  await untilResponse(reads);
  const { wrong, failed } = await reads.stop();
  expect(wrong).toBe(0);
  expect([...failed]).toEqual([]);
});

test('after the postmaster was killed, reads are answered as soon as the server is back', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const server = await start(t, { dataDir });
  const setup = connect(server.url, { max: 1, name: 'setup' });
  await createThings(setup);
  await setup.end();
  const reads = startReads(openPool(t, server.url), 50);
  for (let round = 0; round < 2; round++) {
    await untilResponse(reads);
    process.kill(await serverPid(server.url), 'SIGKILL');
    await expect.poll(() => reads.outcome.failed.size).toBeGreaterThan(0);
    await untilSettled(reads);
    await start(t, { dataDir, at: server.url });
    await untilResponse(reads);
  }
  const { wrong } = await reads.stop();
  expect(wrong).toBe(0);
});

test('no read waits for a frozen server longer than it may, and all are answered when it goes on', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const server = await start(t, { dataDir });
  const setup = connect(server.url, { max: 1, name: 'setup' });
  await createThings(setup);
  await setup.end();
  const sql = openPool(t, server.url, 2000);
  const reads = startReads(sql);
  await untilResponse(reads);
  const postmaster = await serverPid(server.url);
  const children = execFileSync('ps', ['--ppid', String(postmaster), '-o', 'pid='])
    .toString()
    .split(/\s+/);
  const processes = [postmaster, ...children.filter(Boolean).map(Number)];
  for (const pid of processes) process.kill(pid, 'SIGSTOP');
  try {
    await expect.poll(() => reads.outcome.failed.size).toBeGreaterThan(0);
    await expect(sql.within(500)`select 1`).rejects.toMatchObject({ code: 'CONNECTION_TIMEOUT' });
    // No read waits until the server goes on.
    await untilSettled(reads);
  } finally {
    for (const pid of processes) process.kill(pid, 'SIGCONT');
  }
  await untilResponse(reads);
  const { wrong } = await reads.stop();
  expect(wrong).toBe(0);
});

test('a network that swallows everything costs a read no more than its time, and nothing once it is back', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  await createThings(admin);
  const proxy = await openProxy(t, url);
  const reads = startReads(openPool(t, proxy.url, 2000));
  for (let round = 0; round < 2; round++) {
    await untilResponse(reads);
    proxy.blackhole();
    reads.outcome.failed.clear();
    await untilSettled(reads);
    expect(reads.outcome.failed.size).toBeGreaterThan(0);
    proxy.heal();
    await untilResponse(reads);
  }
  proxy.reset();
  await untilResponse(reads);
  const { wrong } = await reads.stop();
  expect(wrong).toBe(0);
});

test('a transaction whose network is gone does not keep its table from being altered', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  await createThings(admin);
  const proxy = await openProxy(t, url);
  const sql = connect(proxy.url, { max: 2, name: 'reader', readOnly: true, statementTimeoutMs: 1000 });
  t.onTestFinished(() => sql.end({ timeout: 0 }));
  const reading = sql
    .begin(async tx => {
      await tx`select 1 from things limit 1`;
      proxy.blackhole();
      await tx`select 1 from things limit 1`;
    })
    .catch((error: unknown) => error);
  const idle = () => admin`select 1 from pg_stat_activity where application_name = 'reader' and state like 'idle in %'`;
  await expect.poll(idle).toHaveLength(1);
  await admin`alter table things add column more int`;
  expect(await reading).toBeInstanceOf(Error);
});

test('a read that the server gave up for another statement, as replicas do, is asked once more', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  // Fails the first time on each connection.
  await admin.unsafe(`
    create function yields() returns int language plpgsql as $$
    begin
      if exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) then return 1; end if;
      perform pg_advisory_lock_shared(7);
      raise exception 'canceling statement due to conflict with recovery' using errcode = '40001';
    end $$
  `);
  for (const ask of [
    (sql: Pool) => sql`select yields() as n`,
    (sql: Pool) => sql.begin(async tx => await tx`select yields() as n`),
  ]) {
    const reading = connect(url, { max: 1, name: 'conflicts', readOnly: true, statementTimeoutMs: 5000 });
    t.onTestFinished(() => reading.end({ timeout: 1 }));
    expect(await ask(reading)).toEqual([{ n: 1 }]);
    const writing = connect(url, { max: 1, name: 'conflicts' });
    t.onTestFinished(() => writing.end({ timeout: 1 }));
    await expect(ask(writing)).rejects.toMatchObject({ code: '40001' });
  }
});

test('a value that cannot be sent fails its own statement and no other', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  await createThings(admin);
  const sql = openPool(t, url);
  const bad = [
    undefined,
    {},
    Symbol('x'),
    () => 1,
    {
      toString: () => {
        throw new Error('no text');
      },
    },
    [{}],
  ] as never[];
  const asked = Array.from({ length: 60 }, async (_, n) => {
    if (n % 3 === 0)
      return await sql`select * from things where id = ${bad[(n / 3) % bad.length]!}`.then(
        () => 'sent',
        e => e.name,
      );
    const [row] = await sql<{ id: number }[]>`select * from things where id = ${n}`;
    return row?.id;
  });
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? 'TypeError' : n)));
  const many = Array.from({ length: 70_000 }, () => 1);
  await expect(sql(['', ...many.map(() => ',')] as never, ...many)).rejects.toThrow('more than the 65535');
  expect(await sql`select ${'a\0b'}::text`.catch(error => error.code)).toBe('22021');
});

test('a statement that writes is not sent again when its connection is lost', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  const proxy = await openProxy(t, url);
  await admin`create table written (n int)`;
  const sql = connect(proxy.url, { max: 1, name: 'writes' });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const insert = sql`insert into written select 1 from pg_sleep(600)`;
  const failed = expect(insert).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  await expect
    .poll(() => admin`select 1 from pg_stat_activity where query like 'insert into written%'`)
    .toHaveLength(1);
  proxy.reset();
  await failed;
  await sql`insert into written values (2)`;
  expect((await admin`select n from written where n = 2`).length).toBe(1);
});

test('a listener that lost its connection listens again and says so', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  const proxy = await openProxy(t, url);
  const sql = connect(proxy.url, { max: 1, name: 'listening' });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const heard: string[] = [];
  let listened = 0;
  const { unlisten } = await sql.listen(
    'news',
    payload => heard.push(payload),
    () => listened++,
  );
  await admin`select pg_notify('news', '1')`;
  await expect.poll(() => heard).toEqual(['1']);
  proxy.reset();
  await expect.poll(() => listened).toBe(2);
  await admin`select pg_notify('news', '2')`;
  await expect.poll(() => heard).toEqual(['1', '2']);
  await unlisten();
  const left = () => admin`select 1 from pg_stat_activity where application_name like 'listening%'`;
  await expect.poll(left).toEqual([]);
});
