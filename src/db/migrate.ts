import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../errors.ts';
import { connect, type Pool, type Sql, type Tx } from './client.ts';
import { checksumOf, isChecksumOf } from './migration-checksum.ts';

export type MigrateOptions = {
  /** Folder of the files `NNNN-name.sql`; default: that of the program. */
  directory?: string;
  /** PostgreSQL schema of the tables, created if missing. */
  schema?: string;
  /** Number of the last file to apply; default: all. */
  upTo?: number;
  log?: (message: string) => void;
};

export type Migration = { name: string; checksum: string; text: string };
export type Applied = { name: string; checksum: string };

/** The advisory lock for concurrent starts: "cairn" as a number. */
const lockKey = 0x636169726en;

const programMigrations = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Applies all pending migrations in one transaction under a lock, and returns their names.
 * A runner of our own, because existing ones need their own driver or down migrations for what is a page of code.
 */
export async function migrate(target: string | Pool, options: MigrateOptions = {}): Promise<string[]> {
  return await withPool(target, pool => pool.begin(sql => applyMigrations(sql, options)));
}

/** Applies all pending migrations in the transaction of the caller, and returns their names. */
export async function applyMigrations(sql: Tx, options: MigrateOptions = {}): Promise<string[]> {
  const { schema = 'public', log = () => {} } = options;
  const files = readMigrations(options.directory);
  await sql`select pg_advisory_xact_lock(${lockKey})`;
  await sql`create schema if not exists ${sql(schema)}`;
  await sql`set local search_path to ${sql(schema)}`;
  await sql`
    create table if not exists migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )
  `;
  const applied = await listApplied(sql);
  const pending = pendingOf(files, applied).filter(
    ({ name }) => Number(name.slice(0, 4)) <= (options.upTo ?? files.length),
  );
  await renewChecksums(sql, files, applied);
  if (pending.length > 0) log(`migrating the database: ${counted(pending)}`);
  for (const { name, checksum, text } of pending) {
    await sql.unsafe(text).catch(cause => {
      throw new Error(`applying the migration ${name}: ${cause.message}`, { cause });
    });
    await sql`insert into migrations (name, checksum) values (${name}, ${checksum})`;
  }
  return pending.map(migration => migration.name);
}

/** `0034-widgets.sql`, or `34 steps, 0001-event-log.sql to 0034-widgets.sql`. */
const counted = (pending: readonly Migration[]): string =>
  pending.length === 1 ? pending[0]!.name : `${pending.length} steps, ${pending[0]!.name} to ${pending.at(-1)!.name}`;

/** Names of pending files, for a read-only program; throws in the same cases as `migrate`. */
export async function listPending(sql: Sql, options: MigrateOptions = {}): Promise<string[]> {
  const { schema = 'public' } = options;
  const files = readMigrations(options.directory);
  const [row] = await sql<{ exists: boolean }[]>`
    select to_regclass(format('%I.migrations', ${schema}::text)) is not null as exists
  `;
  const applied = row?.exists ? await listApplied(sql, schema) : [];
  return pendingOf(files, applied).map(migration => migration.name);
}

/** Files in order; the numbers must be unique and without gaps. */
export function readMigrations(directory = programMigrations): Migration[] {
  const names = readdirSync(directory)
    .filter(name => name.endsWith('.sql'))
    .sort();
  return names.map((name, index) => {
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name)) throw new Error(`the migration ${name} is not named NNNN-name.sql`);
    if (Number(name.slice(0, 4)) !== index + 1)
      throw new Error(`the migration ${name} should have number ${index + 1}`);
    // A checkout may have changed the line endings.
    const text = readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n');
    return { name, checksum: checksumOf(text), text };
  });
}

/** The pending files; throws if an applied file is unknown to this program, or has changed. */
export function pendingOf(files: Migration[], applied: Applied[]): Migration[] {
  const known = new Map(files.map(file => [file.name, file]));
  // First: a newer program may also have changed how checksums are made.
  const unknown = applied.find(({ name }) => !known.has(name));
  if (unknown) {
    throw new UsageError(`the database is newer than this program (it has ${unknown.name}): run the newer program`);
  }
  const changed = applied.find(({ name, checksum }) => !isChecksumOf(known.get(name)!, checksum));
  if (changed) {
    throw new UsageError(`the migration ${changed.name} was changed after it was applied: add a new file instead`);
  }
  const done = new Set(applied.map(({ name }) => name));
  return files.filter(({ name }) => !done.has(name));
}

/** Replaces the checksums that an earlier release has stored. */
async function renewChecksums(sql: Tx, files: Migration[], applied: Applied[]): Promise<void> {
  const stored = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const old = files.filter(({ name, checksum }) => stored.has(name) && stored.get(name) !== checksum);
  if (old.length === 0) return;
  await sql`
    update migrations m
    set checksum = n.checksum
    from unnest(${old.map(({ name }) => name)}::text[], ${old.map(({ checksum }) => checksum)}::text[]) as n (name, checksum)
    where m.name = n.name
  `;
}

function listApplied(sql: Sql, schema?: string): Promise<Applied[]> {
  const table = schema === undefined ? sql`migrations` : sql`${sql(schema)}.migrations`;
  return sql<Applied[]>`select name, checksum from ${table} order by name`;
}

async function withPool<T>(target: string | Pool, work: (pool: Pool) => Promise<T>): Promise<T> {
  if (typeof target !== 'string') return await work(target);
  const pool = connect(target, { max: 1, name: 'cairn migrate' });
  try {
    return await work(pool);
  } finally {
    await pool.end({ timeout: 5 });
  }
}
