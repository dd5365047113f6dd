import { expect, inject, test } from 'vitest';
import { arrayLiteral, connect, withDatabase } from '../../src/db/client.ts';
import { openWriter } from '../../src/ingest/fold/writer-connection.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { holdLock } from './held-lock.ts';

test('wide integers arrive as bigint, decimals as text, bytes as Buffer', async t => {
  const { sql } = await emptyDatabase(t);
  const [row] = await sql`
    select 9007199254740993::int8 as wide, 340282366920938463463374607431768211455::numeric as amount,
      '\\x00ff'::bytea as hash, array[1, 2]::int8[] as list, 7::int4 as small, count(*) as count
  `;
  expect(row).toEqual({
    wide: 9007199254740993n,
    amount: '340282366920938463463374607431768211455',
    hash: Buffer.from([0, 255]),
    list: [1n, 2n],
    small: 7,
    count: 1n,
  });
});

test('values go in as they come out, arrays of wide integers or bytes as text', async t => {
  const { sql } = await emptyDatabase(t);
  const sent = {
    wide: 2n ** 60n,
    hash: Buffer.from('ab', 'hex'),
    small: [1, 2],
    texts: ['a', 'b"\\'],
    list: [2n ** 62n, -1n],
    hashes: [Buffer.from('00', 'hex'), Buffer.from('ff01', 'hex')],
    none: [],
  };
  const [row] = await sql`
    select ${sent.wide}::int8 as wide, ${sent.hash}::bytea as hash, ${sent.small}::int4[] as small,
      ${sent.texts}::text[] as texts, ${arrayLiteral(sent.list)}::int8[] as list,
      ${arrayLiteral(sent.hashes)}::bytea[] as hashes, ${arrayLiteral(sent.none)}::int8[] as none
  `;
  expect(row).toEqual(sent);
});

test('a read-only pool refuses to write', async t => {
  const { url } = await testDatabase(t);
  const sql = connect(url, { max: 1, name: 'reader', readOnly: true });
  t.onTestFinished(() => sql.end());
  await expect(sql`create table refused ()`).rejects.toThrow('read-only transaction');
});

test('a pool has a name, no compiling of queries, and the schema it was given', async t => {
  const { url } = await emptyDatabase(t);
  const sql = connect(url, { max: 1, name: 'fold', schemas: ['next "one"'] });
  t.onTestFinished(() => sql.end());
  const [row] = await sql`
    select current_setting('application_name') as name, current_setting('jit') as jit,
      current_setting('search_path') as path
  `;
  expect(row).toEqual({ name: 'fold', jit: 'off', path: '"next ""one"""' });
});

test('a server that ends long statements by itself is told not to, unless a limit is asked for', async t => {
  const { sql: owner, url } = await emptyDatabase(t);
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  await owner`alter database ${owner(name)} set statement_timeout = '1s'`;
  await owner`alter database ${owner(name)} set idle_in_transaction_session_timeout = '1s'`;
  const limitsOf = async (options: { statementTimeoutMs?: number }) => {
    const sql = connect(url, { max: 1, name: 'test', ...options });
    t.onTestFinished(() => sql.end());
    const [row] = await sql`
      select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle
    `;
    return row;
  };
  expect(await limitsOf({})).toEqual({ statement: '0', idle: '0' });
  expect(await limitsOf({ statementTimeoutMs: 5000 })).toEqual({ statement: '5s', idle: '0' });
  const writer = await openWriter(url, 'test');
  t.onTestFinished(() => writer.end());
  const rows = await writer.query(`select current_setting('statement_timeout') as statement`);
  expect(rows).toEqual([{ statement: '0' }]);
});

test('the folder of a socket may be the host or a parameter', async t => {
  const { url } = await emptyDatabase(t);
  const { username, password, hostname, port, pathname } = new URL(url);
  const folder = decodeURIComponent(hostname);
  const spellings = [
    url,
    `postgres://${username}:${password}@localhost${pathname}?host=${folder}&port=${port}`,
    `postgres://${username}:${password}@${pathname}?host=${encodeURIComponent(folder)}`,
  ];
  for (const spelling of spellings) {
    const sql = connect(spelling, { max: 1, name: 'test' });
    expect((await sql`select current_database() as name`)[0]?.name).toBe(pathname.slice(1));
    await sql.end();
  }
});

test('notices are dropped, or passed to the callback', async t => {
  const { url } = await emptyDatabase(t);
  const heard: string[] = [];
  const sql = connect(url, { max: 1, name: 'test', onNotice: message => heard.push(message) });
  t.onTestFinished(() => sql.end());
  await sql`drop table if exists missing`;
  expect(heard).toEqual(['NOTICE: table "missing" does not exist, skipping']);
});

test('a URL that cannot be read is refused without repeating its password', () => {
  expect(() => connect('postgres://user:secret@host:port/db', { max: 1, name: 'test' })).toThrow(
    /^the database URL cannot be read: expected postgres:\/\/user:password@host:port\/database$/,
  );
});

test('another database of the same server keeps host and password', () => {
  const url = new URL(withDatabase(inject('serverUrl'), 'other'));
  expect(url.pathname).toBe('/other');
  expect(url.password).toBe(new URL(inject('serverUrl')).password);
});

test('in a pipeline no quick statement waits for a slow one, and a transaction keeps its snapshot', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  const sql = connect(url, { max: 5, name: 'pipelined', pipelined: true });
  t.onTestFinished(() => sql.end());
  const answered: string[] = [];
  const release = await holdLock(t, admin);
  const slow = sql`select pg_advisory_lock_shared(7)`.then(() => answered.push('slow'));
  await expect
    .poll(
      () => admin`
        select 1
        from pg_stat_activity
        where query like 'select pg_advisory_lock_shared%' and state = 'active'
          and clock_timestamp() - query_start > interval '20 milliseconds'
      `,
    )
    .toHaveLength(1);
  const quick = Array.from({ length: 30 }, async (_, n) => {
    const [row] = await sql<{ n: number }[]>`select ${n}::int as n`;
    expect(row?.n).toBe(n);
  });
  await Promise.all(quick);
  answered.push('quick');
  await release();
  await slow;
  expect(answered).toEqual(['quick', 'slow']);

  await sql`create table counted (n int)`;
  await sql.begin('isolation level repeatable read', async tx => {
    const count = async () => (await tx<{ count: bigint }[]>`select count(*) from counted`)[0]!.count;
    expect(await count()).toBe(0n);
    await Promise.all(Array.from({ length: 20 }, () => sql`insert into counted values (1)`));
    expect(await count()).toBe(0n);
  });
  expect(await sql`select count(*) from counted`).toMatchObject([{ count: 20n }]);
});

test('a statement that fails in a pipeline leaves those around it alone', async t => {
  const { url } = await emptyDatabase(t);
  const sql = connect(url, { max: 2, name: 'pipelined', pipelined: true });
  t.onTestFinished(() => sql.end());
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) => (n % 3 === 1 ? sql`select 1 / ${0}::int` : sql`select ${n}::int as n`)),
  );
  expect(results.map(result => result.status)).toEqual(
    Array.from({ length: 12 }, (_, n) => (n % 3 === 1 ? 'rejected' : 'fulfilled')),
  );
});
