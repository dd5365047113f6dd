import type { Pool, Sql, Tx } from '../../db/client.ts';
import { applyMigrations } from '../../db/migrate.ts';
import { UsageError } from '../../errors.ts';
import type { Manifest, StoredManifest } from './manifest.ts';

/** The schema that exists while a restore is not complete: what it restores, and how far it is. */
const schema = 'cairn_restore';

/** True while the tables of the database are incomplete because a restore was interrupted or still runs. */
export async function isRestoring(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`
    select to_regclass(${`${schema}.source`}) is not null as exists
  `;
  return row!.exists;
}

/** Tables of one service, which a restore would drop. */
const ownRows = [
  { table: 'api_keys', what: 'API keys' },
  { table: 'webhooks', what: 'webhooks' },
  { table: 'chainhook_consumers', what: 'secrets of chainhooks' },
];

export type TargetState = 'empty' | 'resumable' | 'in use';

/** Finds whether a database can take a snapshot; throws if it holds something that a restore must not touch. */
export async function inspectTarget(sql: Sql, sha256: string | undefined): Promise<TargetState> {
  if (await isRestoring(sql)) {
    const [source] = await sql<{ name: string; sha256: string }[]>`
      select s.name, s.sha256 from ${sql(schema)}.source s
    `;
    if (sha256 === undefined || source!.sha256 === sha256) return 'resumable';
    throw new UsageError(
      `the restore of the snapshot ${source!.name} into this database is not complete: restore that one, or use another database`,
    );
  }
  const [found] = await sql<{ tables: number; ours: boolean }[]>`
    select count(*)::int as tables, coalesce(bool_or(c.relname = 'event_log_head'), false) as ours
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  `;
  if (found!.tables === 0) return 'empty';
  if (!found!.ours) {
    throw new UsageError(
      `the database has ${found!.tables} tables of another program: give Cairn a database of its own`,
    );
  }
  const [head] = await sql<{ empty: boolean }[]>`select h.last_id = 0 as empty from event_log_head h`;
  if (!head?.empty) return 'in use';
  for (const { table, what } of ownRows) {
    const [known] = await sql<{ exists: boolean }[]>`select to_regclass(${`public.${table}`}) is not null as exists`;
    if (known!.exists && (await sql`select 1 from ${sql(table)} limit 1`).length > 0)
      throw new UsageError(`the database holds ${what}: restore into an empty one and add them afterwards`);
  }
  return 'empty';
}

/**
 * Prepares an empty database in one transaction: creates the tables as they were when the snapshot was made, without rows and
 * without indexes, and remembers the indexes.
 */
export async function prepareTarget(sql: Pool, { name, sha256, manifest }: StoredManifest): Promise<void> {
  await sql.begin(async tx => {
    await tx`set local client_min_messages to warning`;
    await dropEmptyTables(tx);
    await applyMigrations(tx, { upTo: manifest.migrations.length });
    const names = manifest.tables.map(table => table.name);
    await assertSameColumns(tx, manifest);
    await tx`create schema ${tx(schema)}`;
    await tx`create table ${tx(schema)}.source (name text not null, sha256 text not null)`;
    await tx`insert into ${tx(schema)}.source (name, sha256) values (${name}, ${sha256})`;
    await tx`create table ${tx(schema)}.loaded (table_name text primary key, parts int not null)`;
    await deferForeignKeys(tx);
    await deferIndexes(tx, names);
    // Migrations insert the first rows of some tables.
    for (const table of names) await tx`truncate ${tx(table)}`;
  });
}

/** Drops tables without a chain and the functions beside them: they may be of a newer schema than the snapshot. */
async function dropEmptyTables(tx: Tx): Promise<void> {
  const tables = await tx<{ name: string }[]>`
    select c.relname as name
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  `;
  for (const table of tables) await tx`drop table ${tx(table.name)} cascade`;
  if (tables.length === 0) return;
  const functions = await tx<{ signature: string }[]>`
    select p.oid::regprocedure::text as signature
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  `;
  for (const { signature } of functions) await tx`drop routine ${tx.unsafe(signature)}`;
}

/** The tables that this program creates for the schema of the snapshot must have the columns that it copied. */
async function assertSameColumns(tx: Tx, { tables }: Manifest): Promise<void> {
  const rows = await tx<{ line: string }[]>`
    select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, null) as line
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  `;
  const known = new Set(rows.map(row => row.line));
  for (const { name, columns } of tables) {
    const other = columns.find(column => !known.has(`${name}.${column.name} ${column.type}`));
    if (other) throw new UsageError(`the snapshot has a column ${name}.${other.name} that this version does not know`);
  }
}

/** Drops foreign keys and records them: tables are filled in any order, several at once. */
async function deferForeignKeys(tx: Tx): Promise<void> {
  await tx`create table ${tx(schema)}.foreign_keys (name text, table_name text, definition text not null)`;
  const keys = await tx<{ name: string; table_name: string }[]>`
    insert into ${tx(schema)}.foreign_keys (name, table_name, definition)
    select k.conname, t.relname, pg_get_constraintdef(k.oid)
    from pg_constraint k
    join pg_class t on t.oid = k.conrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
    returning name, table_name
  `;
  for (const { name, table_name } of keys) await tx`alter table ${tx(table_name)} drop constraint ${tx(name)}`;
}

async function addForeignKeys(tx: Tx): Promise<void> {
  const keys = await tx<{ name: string; table_name: string; definition: string }[]>`
    select f.name, f.table_name, f.definition from ${tx(schema)}.foreign_keys f order by f.table_name, f.name
  `;
  for (const { name, table_name, definition } of keys) {
    await tx`alter table ${tx(table_name)} add constraint ${tx(name)} ${tx.unsafe(definition)}`;
  }
}

/** Drops all indexes and records how to create them again; unique constraints take theirs back by name. */
async function deferIndexes(tx: Tx, tables: string[]): Promise<void> {
  await tx`
    create table ${tx(schema)}.indexes (
      name text primary key,
      table_name text not null,
      definition text not null,
      attach text
    )
  `;
  const indexes = await tx<{ name: string; table_name: string; attach: string | null }[]>`
    insert into ${tx(schema)}.indexes (name, table_name, definition, attach)
    select c.relname, t.relname, pg_get_indexdef(c.oid),
      case when k.oid is not null then
        format('alter table public.%I add constraint %I %s using index %I', t.relname, k.conname,
          case k.contype when 'p' then 'primary key' else 'unique' end, c.relname)
      end
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_class t on t.oid = i.indrelid
    left join pg_constraint k on k.conindid = c.oid and k.contype in ('p', 'u')
    where c.relnamespace = 'public'::regnamespace and t.relname = any (${tables})
    returning name, table_name, attach
  `;
  for (const { name, table_name, attach } of indexes) {
    if (attach === null) await tx`drop index ${tx(name)}`;
    else await tx`alter table ${tx(table_name)} drop constraint ${tx(name)}`;
  }
}

/** Parts of each table that are loaded. */
export async function listLoaded(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql<
    { table_name: string; parts: number }[]
  >`select l.table_name, l.parts from ${sql(schema)}.loaded l`;
  return new Map(rows.map(row => [row.table_name, row.parts]));
}

/** The statement that records loaded parts, in the transaction that loads them. */
export const recordLoaded = (table: string, parts: number) => ({
  text: `insert into ${schema}.loaded (table_name, parts) values ($1, $2)
    on conflict (table_name) do update set parts = excluded.parts`,
  values: [table, String(parts)],
});

export type DeferredIndex = { name: string; table_name: string; definition: string; attach: string | null };

/** Indexes that are not built yet. */
export async function listDeferred(sql: Sql): Promise<DeferredIndex[]> {
  return await sql<DeferredIndex[]>`
    select i.name, i.table_name, i.definition, i.attach from ${sql(schema)}.indexes i order by i.name
  `;
}

/** Builds an index, and removes it from the list. */
export const buildText = ({ name, definition, attach }: DeferredIndex) =>
  [
    definition,
    ...(attach === null ? [] : [attach]),
    `delete from ${schema}.indexes where name = '${name.replaceAll("'", "''")}'`,
  ].join(';\n');

/**
 * Adds the foreign keys, sets the sequences, applies the migrations that are newer than the snapshot, and ends the restore, all
 * in one transaction.
 */
export async function completeTarget(
  sql: Pool,
  { sequences }: Manifest,
  log: (message: string) => void,
): Promise<void> {
  await sql.begin(async tx => {
    await addForeignKeys(tx);
    for (const { table, column, value, called } of sequences) {
      await tx`select setval(pg_get_serial_sequence(${`public.${table}`}, ${column}), ${value}::bigint, ${called}::boolean)`;
    }
    await tx`drop schema ${tx(schema)} cascade`;
    await applyMigrations(tx, { log });
  });
}
