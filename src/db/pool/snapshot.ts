import type { Pool, Sql } from '../client.ts';

/** Runs queries on one consistent state of the database. */
export async function inSnapshot<T>(pool: Pool, read: (sql: Sql) => Promise<T>): Promise<T> {
  return await pool.begin('isolation level repeatable read read only', read);
}
