import type { Sql } from '../../db/client.ts';

/** Bytes that the database takes on disk, with its indexes. */
export async function findDatabaseSize(sql: Sql): Promise<bigint> {
  const [row] = await sql<{ size: bigint }[]>`select pg_database_size(current_database()) as size`;
  return row!.size;
}
