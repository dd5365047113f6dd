import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Pool } from '../../src/db/client.ts';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { Housekeeping } from '../../src/ingest/fold/housekeeping.ts';
import { endOnSignal } from './cleanup.ts';

/** An embedded database in a temporary folder, migrated, with the settings of production. */
export type BenchDatabase = {
  dataDir: string;
  url: string;
  sql: Pool;
  /** Bytes of the database before anything was stored. */
  emptyBytes: number;
  stop(): Promise<void>;
};

export type BenchDatabaseOptions = {
  /** Counts and times every statement, which costs some speed; `later`: from `countStatements` on. */
  statements?: boolean | 'later';
};

const statementSettings = { shared_preload_libraries: 'pg_stat_statements' };

export async function openBenchDatabase({ statements = false }: BenchDatabaseOptions = {}): Promise<BenchDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
  chmodSync(dataDir, 0o755);
  const settings = {
    ...(statements !== false && statementSettings),
    ...(statements === 'later' && { 'pg_stat_statements.track': 'none' }),
  };
  const server = await startEmbedded({ dataDir, settings });
  const sql = connect(server.url, { max: 3, name: 'bench' });
  if (statements) {
    await sql`create schema bench`;
    await sql`create extension pg_stat_statements schema bench`;
  }
  await migrate(sql);
  const stop = async () => {
    forget();
    await sql.end({ timeout: 1 });
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const forget = endOnSignal(stop);
  return { dataDir, url: server.url, sql, emptyBytes: await databaseBytes(sql), stop };
}

async function databaseBytes(sql: Pool): Promise<number> {
  const [row] = await sql<{ bytes: bigint }[]>`select pg_database_size(current_database()) as bytes`;
  return Number(row!.bytes);
}

/** Counts the statements of connections that are opened from now on; the database was opened with `statements: 'later'`. */
export async function countStatements(sql: Pool): Promise<void> {
  const [row] = await sql<{ name: string }[]>`select current_database() as name`;
  await sql`alter database ${sql(row!.name)} set pg_stat_statements.track = 'top'`;
}

/** Pages of 8 KB that counted statements have looked at so far, in memory or on disk. */
export async function pagesRead(sql: Pool): Promise<number> {
  const [row] = await sql<{ pages: bigint }[]>`
    select coalesce(sum(s.shared_blks_hit + s.shared_blks_read), 0)::bigint as pages from bench.pg_stat_statements s
  `;
  return Number(row!.pages);
}

export type Sizes = { databaseBytes: number; logBytes: number; tableBytes: number };

/** Stored bytes: log and tables with their indexes, without the write-ahead log, which is recycled. */
export async function measureSizes({ sql, emptyBytes }: BenchDatabase): Promise<Sizes> {
  await vacuumAsProductionDoes(sql);
  const [row] = await sql<{ log: bigint; tables: bigint }[]>`
    select
      coalesce(sum(pg_total_relation_size(c.oid)) filter (where c.relname = 'event_log'), 0)::bigint as log,
      coalesce(sum(pg_total_relation_size(c.oid)) filter (where c.relname <> 'event_log'), 0)::bigint as tables
    from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  `;
  return {
    databaseBytes: (await databaseBytes(sql)) - emptyBytes,
    logBytes: Number(row!.log),
    tableBytes: Number(row!.tables),
  };
}

/** The fold vacuums its tables of current values as the chain grows; once more, so that the last blocks are no exception. */
async function vacuumAsProductionDoes(sql: Pool): Promise<void> {
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  const housekeeping = new Housekeeping(sql, quiet);
  housekeeping.reached(0);
  housekeeping.reached(1_000_000);
  await housekeeping.settled();
}

/** Bytes of each table and each index, largest first. */
export async function listSizes(sql: Pool): Promise<{ name: string; bytes: number }[]> {
  const rows = await sql<{ name: string; bytes: bigint }[]>`
    select case c.relkind when 'i' then '  index ' else '' end || c.relname as name, pg_table_size(c.oid) as bytes
    from pg_class c
    where c.relkind in ('r', 'i') and c.relnamespace = 'public'::regnamespace and pg_table_size(c.oid) > 300000
    order by pg_table_size(c.oid) desc
  `;
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }));
}

/** The statements that took longest in all, where they were counted. */
export async function listStatements(sql: Pool): Promise<{ totalMs: number; calls: number; text: string }[]> {
  const rows = await sql<{ total: number; calls: bigint; text: string }[]>`
    select s.total_exec_time + s.total_plan_time as total, s.calls, regexp_replace(s.query, '\\s+', ' ', 'g') as text
    from bench.pg_stat_statements s
    order by 1 desc
    limit 40
  `;
  return rows.map(row => ({ totalMs: row.total, calls: Number(row.calls), text: row.text }));
}
