import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Pool, withDatabase } from '../../src/db/client.ts';

export type TestDatabase = {
  /** A small pool on the database. */
  sql: Pool;
  url: string;
  drop(): Promise<void>;
};

/** What of a test's context is needed to drop its database when it ends. */
type Ending = { onTestFinished(work: () => Promise<void>): void };

/** A database of its own, cloned from the migrated template; dropped with the test `t`, else by the caller. */
export async function testDatabase(t?: Ending): Promise<TestDatabase> {
  const problem = inject('templateProblem');
  if (problem !== '') throw new Error(`there is no migrated template database: ${problem}`);
  return await cloneDatabase('template_migrated', t);
}

/** A database without tables. */
export async function emptyDatabase(t?: Ending): Promise<TestDatabase> {
  return await cloneDatabase('template1', t);
}

async function cloneDatabase(template: string, t?: Ending): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await onServer(sql => sql`create database ${sql(name)} template ${sql(template)}`);
  const url = withDatabase(inject('serverUrl'), name);
  const sql = connect(url, { max: 4, name: 'test' });
  let dropping: Promise<void> | undefined;
  const drop = () => {
    dropping ??= sql.end({ timeout: 1 }).then(() => onServer(s => s`drop database if exists ${s(name)} with (force)`));
    return dropping;
  };
  t?.onTestFinished(drop);
  return { sql, url, drop };
}

async function onServer(work: (sql: Pool) => Promise<unknown>): Promise<void> {
  const sql = connect(inject('serverUrl'), { max: 1, name: 'test support' });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
