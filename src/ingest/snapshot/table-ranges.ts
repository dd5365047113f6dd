import type { Sql } from '../../db/client.ts';
import { UsageError } from '../../errors.ts';

/** Bytes of a table and its long values that one part covers, on average. A restore commits part by part. */
export const PART_BYTES = 64 << 20;

/**
 * Tables without rows to copy: migrations are applied by a restore, and deferred indexes exist only during a bulk load. API keys,
 * webhooks and publishers belong to one service: operators give snapshots to each other.
 */
const omitted = ['migrations', 'deferred_indexes', 'api_keys', 'webhooks', 'webhook_deliveries', 'publishers'];

/**
 * Types whose binary form is the same in all PostgreSQL versions and on all machines. The fold writes most of them in the same
 * form (`copy-buffer.ts`). A column of another type needs a look at its `send` and `receive` functions first.
 */
const portableTypes = new Set([
  'boolean',
  'smallint',
  'integer',
  'bigint',
  'numeric',
  'bytea',
  'text',
  'json',
  'timestamp with time zone',
  'integer[]',
  'bigint[]',
  'numeric[]',
]);

/** A table to be copied. */
export type SourceTable = {
  name: string;
  columns: { name: string; type: string }[];
  /** Size on disk without indexes. */
  bytes: number;
  /** Pages of the table itself, without long values. */
  pages: number;
};

/** Pages from `from` up to, but not including, `to`; without `to` all that follow. */
export type PageRange = { from: number; to: number | undefined; bytes: number };

/** Names of all tables of the schema whose rows belong to a snapshot. */
export async function listTableNames(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all (${omitted})
    order by c.relname
  `;
  return rows.map(row => row.name);
}

/** Reads columns and sizes of the tables. */
export async function describeTables(sql: Sql, names: readonly string[]): Promise<SourceTable[]> {
  const tables = await sql<SourceTable[]>`
    select
      c.relname as name,
      json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum) as columns,
      pg_table_size(c.oid)::float8 as bytes,
      (pg_relation_size(c.oid) / current_setting('block_size')::int)::float8 as pages
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relname = any (${[...names]})
    group by c.oid, c.relname
    order by c.relname
  `;
  assertPortable(tables);
  return tables;
}

/** Throws if a column has a type whose binary form may depend on the server. */
export function assertPortable(tables: readonly Pick<SourceTable, 'name' | 'columns'>[]): void {
  for (const { name, columns } of tables) {
    const other = columns.find(({ type }) => !portableTypes.has(type));
    if (other) {
      throw new UsageError(
        `a snapshot cannot hold the column ${name}.${other.name}: its type ${other.type} is not portable`,
      );
    }
  }
}

/** Cuts a table into ranges of pages. The bounds stay the same as the table grows, so that old ranges give equal chunks. */
export function rangesOf({ bytes, pages }: Pick<SourceTable, 'bytes' | 'pages'>, partBytes: number): PageRange[] {
  if (pages === 0) return [];
  const perPage = bytes / pages;
  const step = 2 ** Math.max(0, Math.floor(Math.log2(partBytes / perPage)));
  const ranges: PageRange[] = [];
  for (let from = 0; from < pages; from += step) {
    const last = from + step >= pages;
    ranges.push({ from, to: last ? undefined : from + step, bytes: Math.min(step, pages - from) * perPage });
  }
  return ranges;
}
