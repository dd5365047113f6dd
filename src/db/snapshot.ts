import type { Pool, Sql } from './client.ts';

/** Runs queries that have to agree with one another on one state of the database. */
export async function inSnapshot<T>(pool: Pool, ask: (sql: Sql) => Promise<T>): Promise<T> {
  // The driver types its result as an array of results; a single one passes through unchanged.
  return (await pool.begin('isolation level repeatable read read only', ask)) as T;
}
