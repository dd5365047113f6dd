import type { Pool, Sql } from '../db/client.ts';

/** "toke" as a number. */
const writeLock = 0x746f_6b65;

/**
 * Runs a transaction that writes tokens and jobs, after those of all processes before it. Such transactions lock rows of both
 * tables, each in its own order: side by side they could wait for each other.
 */
export async function writeTokens<T>(sql: Pool, work: (tx: Sql) => Promise<T>): Promise<T> {
  return await sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(${writeLock})`;
    return await work(tx);
  });
}
