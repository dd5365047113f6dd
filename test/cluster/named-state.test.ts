import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReadServers } from '../../src/app/reading/read-servers.ts';
import { findServedState, namedState } from '../../src/cache/tip-queries.ts';
import type { Sql } from '../../src/db/client.ts';
import { createLog } from '../../src/log.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let db: TestDatabase;
let servers: ReadServers;
let statements: string[] = [];
const followed: number[] = [];

beforeAll(async () => {
  db = await testDatabase();
  servers = await ReadServers.open({
    replicas: [],
    primary: db.url,
    maxLagSeconds: 1,
    log: createLog({ level: 'silent', format: 'json' }),
    follow: async seq => void followed.push(seq),
    onRegression: () => {},
  });
  servers.pool({ name: 'test', max: 2, readOnly: true, onStatement: ({ text }) => statements.push(text) });
});

afterAll(async () => {
  await servers?.stop();
  await db?.drop();
});

const naming = (sql: Sql) => sql`select 1 as one, ${namedState(sql)}`;
const nothing = (sql: Sql) => sql`select 1 as one, ${namedState(sql)} where false`;

/** The statements that the reads of a response took. */
async function sentBy(work: (sql: Sql) => Promise<unknown>): Promise<number> {
  statements = [];
  await servers.run(work);
  return statements.length;
}

test('a response whose statements name their state needs no statement about the server', async () => {
  const { seq } = await findServedState(db.sql);
  expect(await sentBy(naming)).toBe(1);
  expect(await sentBy(async sql => [await naming(sql), await naming(sql)])).toBe(2);
  expect(followed.at(-1)).toBe(seq);
});

test('the server is asked where one statement names nothing, has no rows, or fails', async () => {
  expect(await sentBy(async sql => [await naming(sql), await sql`select 1`])).toBe(3);
  expect(await sentBy(nothing)).toBe(2);
  expect(await sentBy(async sql => await sql`select 1 / 0, ${namedState(sql)}`.catch(() => {}))).toBe(2);
});

test('the server is asked where a statement names less than the server was known to have', async () => {
  const { seq } = await findServedState(db.sql);
  servers.announce(seq + 1);
  expect(await sentBy(naming)).toBe(2);
  // By now it is known that the server has lost that step.
  expect(await sentBy(naming)).toBe(1);
});
