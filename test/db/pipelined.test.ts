import { expect, test } from 'vitest';
import { connect, type Pool } from '../../src/db/client.ts';
import { emptyDatabase } from '../support/database.ts';

async function openLane(t: { onTestFinished(work: () => Promise<void>): void }): Promise<{ sql: Pool; admin: Pool }> {
  const { url, sql: admin } = await emptyDatabase(t);
  const sql = connect(url, { max: 1, name: 'questions', pipelined: true });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  return { sql, admin };
}

test('values arrive as through any other pool, and how many rows there are', async t => {
  const { sql } = await openLane(t);
  for (const round of [1, 2]) {
    const rows = await sql`select ${round}::int as n, 2::int8 as wide, ${Buffer.from('ff', 'hex')}::bytea as bytes`;
    expect(rows.count).toBe(1);
    expect([...rows]).toEqual([{ n: round, wide: 2n, bytes: Buffer.from('ff', 'hex') }]);
  }
});

test('a statement that fails says what the server said, at once and when it is prepared already', async t => {
  const { sql } = await openLane(t);
  const divide = (by: number) => sql`select 1 / ${by}::int as n`;
  await expect(divide(0)).rejects.toMatchObject({ code: '22012', message: 'division by zero' });
  expect(await divide(1)).toMatchObject([{ n: 1 }]);
  await expect(divide(0)).rejects.toMatchObject({ code: '22012', query: expect.stringContaining('1 / $1') });
  await expect(sql`select ${1}::int from nowhere`).rejects.toMatchObject({ code: '42P01' });
});

test('a statement whose table has changed since it was prepared is prepared anew', async t => {
  const { sql, admin } = await openLane(t);
  await admin`create table things (a int)`;
  await admin`insert into things values (1)`;
  const read = () => sql`select * from things where a = ${1}`;
  expect([...(await read())]).toEqual([{ a: 1 }]);
  await admin`alter table things add column b int default 2`;
  expect([...(await read())]).toEqual([{ a: 1, b: 2 }]);
});

test('a lost connection fails what was under way, and the next statement opens another', async t => {
  const { sql, admin } = await openLane(t);
  await sql`select ${1}::int`;
  const slow = Promise.allSettled([sql`select pg_sleep(${600})`, sql`select ${2}::int as n`]);
  await expect
    .poll(async () => {
      const ended = await admin`
        select pg_terminate_backend(pid)
        from pg_stat_activity
        where application_name = 'questions' and query like '%pg_sleep%' and state = 'active'
      `;
      return ended.length;
    })
    .toBe(1);
  expect((await slow).map(each => each.status)).toEqual(['rejected', 'rejected']);
  expect(await sql`select ${3}::int as n`).toMatchObject([{ n: 3 }]);
});

test('a statement can be given up, and a closed pool refuses more', async t => {
  const { sql, admin } = await openLane(t);
  const slow = sql`select pg_sleep(${600})`;
  const failed = expect(slow).rejects.toMatchObject({ code: '57014' });
  // A cancellation that arrives before its statement has begun has no effect.
  const begun = () => admin`
    select 1 from pg_stat_activity where application_name = 'questions' and wait_event = 'PgSleep'
  `;
  await expect.poll(begun).toHaveLength(1);
  slow.cancel();
  await failed;
  await sql.end();
  await expect(sql`select ${1}::int`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' });
});
