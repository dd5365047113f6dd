import pg from 'pg';
import { searchPath } from '../db/client.ts';

/** A connection of a fold's writer, not open yet. `pg` reads `?host=/folder` of a URL itself; all else is as the pool reads it. */
export const writerClient = (url: string, name: string): pg.Client =>
  new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true, application_name: name });

/** Opens the connection for the tables of a schema, where it is not the one in use. */
export async function openWriter(client: pg.Client, schema: string | undefined): Promise<void> {
  await client.connect();
  // The log is durable: what a crash takes from the tables is folded again.
  await client.query('set synchronous_commit = off');
  // Whatever the server would do by itself.
  await client.query('set statement_timeout = 0');
  // The same few statements come with every block: each is planned once.
  await client.query('set plan_cache_mode = force_generic_plan');
  if (schema !== undefined) await client.query(`set search_path to ${searchPath([schema, 'public'])}`);
}
