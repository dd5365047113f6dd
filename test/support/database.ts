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
  const admin = onServer();
  // Copied files cost a third of copied blocks, which the server would also write to its log.
  await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`;
  const url = withDatabase(inject('serverUrl'), name);
  const sql = connect(url, { max: 4, name: 'test' });
  let dropping: Promise<void> | undefined;
  const drop = () => {
    dropping ??= sql
      .end({ timeout: 1 })
      .then(() => admin`drop database if exists ${admin(name)} with (force)`)
      .then(() => {});
    return dropping;
  };
  t?.onTestFinished(drop);
  return { sql, url, drop };
}

let server: Pool | undefined;

/** The server of the run; the connections end with the process, which runs many files. */
function onServer(): Pool {
  server ??= connect(inject('serverUrl'), { max: 2, name: 'test support' });
  return server;
}
