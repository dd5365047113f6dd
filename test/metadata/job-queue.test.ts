import { expect, test } from 'vitest';
import type { Pool } from '../../src/db/client.ts';
import * as queue from '../../src/metadata/job-queue.ts';
import { runReads } from '../../src/metadata/read-jobs.ts';
import { requestContract } from '../../src/metadata/refresh.ts';
import { defaultAges } from '../../src/metadata/token-results.ts';
import { writeTokens } from '../../src/metadata/token-writes.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

/** Adds jobs as the worker does. */
async function enqueue(sql: Pool, jobs: readonly { contract: number; number: bigint }[]): Promise<void> {
  const rows = jobs.map(({ contract, number }) => ({ contract, number: String(number) }));
  await sql`
    insert into token_jobs (contract, kind, number, due)
    select r.contract, ${queue.jobKinds.read}, r.number, now()
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (contract int, number numeric)
    order by r.contract, r.number
    on conflict (contract, kind, number) do update
    ${queue.requestedAgain(sql)}
  `;
}

/** Contracts with so many waiting jobs each; the first one has number 1. */
async function databaseWith(t: Parameters<typeof testDatabase>[0], ...jobs: number[]): Promise<TestDatabase> {
  const db = await testDatabase(t);
  for (const [i, count] of jobs.entries()) {
    const [contract] = await db.sql<{ id: number }[]>`
      insert into token_contracts (class, height, name, principal) values (2, 1, ${Buffer.from(`c${i}`)}, ${`c${i}`}) returning id
    `;
    await enqueue(
      db.sql,
      numbers(count).map(number => ({ contract: contract!.id, number })),
    );
  }
  return db;
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i));
const taking = { kinds: ['read'], lease: 'a', leaseMs: 60_000, limit: 64, perContract: 16, after: 0 } as const;
const take = (sql: Pool, options: Partial<queue.Taking> = {}) => queue.takeJobs(sql, { ...taking, ...options });
const expire = (sql: Pool) => sql`update token_jobs set due = now() where lease is not null`;

test('two workers never hold the same job', async t => {
  const { sql } = await databaseWith(t, 100);
  const taken = await Promise.all(
    Array.from({ length: 8 }, (_, i) => take(sql, { lease: `worker ${i}`, limit: 20, perContract: 20 })),
  );
  const all = taken.flatMap(({ jobs }) => jobs.map(queue.keyOf));
  expect(new Set(all).size).toBe(all.length);
  expect((await take(sql, { limit: 200, perContract: 200 })).jobs.length).toBe(100 - all.length);
});

test('a job that somebody else has locked is passed over', async t => {
  const { sql } = await databaseWith(t, 3);
  await sql.begin(async tx => {
    await tx`select 1 from token_jobs where number = 1 for update`;
    expect((await take(sql)).jobs.map(job => job.number)).toEqual([0n, 2n]);
  });
});

test('a contract with many jobs does not hold up the others', async t => {
  const { sql } = await databaseWith(t, 5_000, 3, 1, 40);
  const turns = new queue.Turns();
  const order: number[] = [];
  for (let batch = 0; batch < 2; batch++) {
    const taken = await take(sql, { after: turns.after, limit: 24, lease: `${batch}` });
    turns.isIdleAfter(taken);
    order.push(...taken.jobs.map(job => job.contract));
  }
  const first = order[0]!;
  expect(order.filter(contract => contract === first).length).toBe(16);
  expect(new Set(order).size).toBe(4);
});

test('contracts beyond those that are visited at once have their turn too', async t => {
  const { sql } = await databaseWith(t, ...Array.from({ length: 300 }, () => 1));
  await sql`update token_jobs set due = now() + interval '1 hour' where contract < (select max(contract) from token_jobs)`;
  const turns = new queue.Turns();
  const looks = [];
  for (let i = 0; i < 4; i++) {
    const taken = await take(sql, { after: turns.after });
    looks.push({ jobs: taken.jobs.length, idle: turns.isIdleAfter(taken) });
  }
  expect(looks).toEqual([
    { jobs: 0, idle: false },
    { jobs: 1, idle: false },
    { jobs: 0, idle: false },
    { jobs: 0, idle: true },
  ]);
});

test('a job whose lease has ended is taken over, and its late result is refused', async t => {
  const { sql } = await databaseWith(t, 1);
  const { jobs: late } = await take(sql, { lease: 'late' });
  expect((await take(sql, { lease: 'early' })).jobs).toEqual([]);
  await expire(sql);
  const { jobs } = await take(sql, { lease: 'next' });
  expect(jobs).toMatchObject([{ attempts: 2 }]);
  expect(await sql.begin(tx => queue.holdJobs(tx, 'late', late))).toEqual(new Set());
  await queue.endJobs(sql, 'late', late);
  expect(await sql.begin(tx => queue.holdJobs(tx, 'next', jobs))).toEqual(new Set(jobs.map(queue.keyOf)));
  await queue.endJobs(sql, 'next', jobs);
  expect(await sql`select 1 from token_jobs`).toHaveLength(0);
});

test('the result of a read waits for a transaction that writes tokens before jobs', async t => {
  const { sql } = await databaseWith(t, 1);
  await sql`insert into tokens (contract, number, class, height) select id, 0, class, height from token_contracts`;
  const { jobs } = await take(sql);
  const reading = { sql, lease: 'a', height: 1, concurrency: 1, fetching: 'none', ages: defaultAges } as const;
  const stored = await writeTokens(sql, async tx => {
    await tx`update tokens set height = 2`;
    // It would lock the job first, then wait for the token, while this transaction waits for the job.
    const reads = runReads(jobs, { ...reading, call: async () => ({ failed: 'UndefinedFunction' }) });
    await expect(Promise.race([reads, tx`select pg_sleep(0.2)`.then(() => 'waiting')])).resolves.toBe('waiting');
    expect(await requestContract(tx, Buffer.from('c0'))).toBe(1);
    return { reads };
  });
  await stored.reads;
  expect(await sql`select 1 from tokens where read_at is not null`).toHaveLength(1);
});

test('a job that is requested while it is held runs once more', async t => {
  const { sql } = await databaseWith(t, 1);
  const { jobs } = await take(sql);
  await enqueue(sql, jobs);
  expect((await take(sql, { lease: 'b' })).jobs).toEqual([]);
  await queue.endJobs(sql, 'a', jobs);
  const { jobs: again } = await take(sql, { lease: 'b' });
  expect(again).toMatchObject([{ attempts: 1, version: 2 }]);
  await queue.endJobs(sql, 'b', again);
  expect(await sql`select 1 from token_jobs`).toHaveLength(0);
});

test('a job that failed waits, and a request ends the wait', async t => {
  const { sql } = await databaseWith(t, 1);
  const { jobs } = await take(sql);
  await queue.endJobs(sql, 'a', [{ ...jobs[0]!, retryMs: 60_000 }]);
  expect((await take(sql)).jobs).toEqual([]);
  await enqueue(sql, jobs);
  expect((await take(sql)).jobs).toMatchObject([{ attempts: 1 }]);
});

test('a job that was taken but not tried loses no try', async t => {
  const { sql } = await databaseWith(t, 2);
  const { jobs } = await take(sql);
  await queue.returnJobs(sql, 'a', jobs, 0);
  expect((await take(sql, { lease: 'b' })).jobs).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
});

test('the pause after a failure doubles up to an hour and is spread', () => {
  expect([1, 2, 3].map(attempts => queue.backOffMs(attempts, () => 0))).toEqual([5_000, 10_000, 20_000]);
  expect(queue.backOffMs(50, () => 0)).toBe(3_600_000);
  expect(queue.backOffMs(1, () => 1)).toBe(7_500);
});
