import type { Reader, Sql } from '../client.ts';

/** Runs queries on one consistent state of the database. */
export async function inSnapshot<T>(reader: Reader, read: (sql: Sql) => Promise<T>): Promise<T> {
  return await reader.begin('isolation level repeatable read read only', read);
}
