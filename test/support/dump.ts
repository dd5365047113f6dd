import type { Pool } from '../../src/db/client.ts';
import type { ColumnType, Table } from '../../src/db/table.ts';
import { projections } from '../../src/ingest/projections/all.ts';
import { burnTables, burnTotalsTable } from '../../src/ingest/tree/burn-blocks.ts';
import { signerTables } from './signer-tables.ts';

/** What the tables say: each row as JSON text, sorted, by table. */
export type Dump = Record<string, string[]>;

/** Every table that the canonical chain and the messages of signers alone determine, current values included. */
export const canonicalTables: readonly Table[] = [
  ...new Set([
    ...projections.flatMap(p => [...p.tables, ...(p.currents ?? []).map(({ table }) => table)]),
    ...burnTables,
    burnTotalsTable,
    ...signerTables,
  ]),
];

/** The content of every canonical table, with keys replaced by the names they stand for, so that two databases compare. */
export async function dump(sql: Pool): Promise<Dump> {
  const parts = canonicalTables.map(
    table => `select '${table.name}' as "table", row_to_json(x)::text as line from (${selectNamed(table)}) x`,
  );
  const rows = await sql.unsafe<{ table: string; line: string }[]>(`${parts.join(' union all ')} order by 1, 2`);
  const dumped: Dump = Object.fromEntries(canonicalTables.map(table => [table.name, []]));
  for (const { table, line } of rows) dumped[table]!.push(line);
  return dumped;
}

function selectNamed(table: Table): string {
  const columns = Object.entries(table.columns).map(([name, type]) => `${named(table, name, type)} as ${name}`);
  return `select ${columns.join(', ')} from ${table.name} t`;
}

const principal = (column: string) => `(select encode(n.name, 'hex') from principals n where n.id = ${column})`;
const asset = (column: string) => `
  (select encode(p.name, 'hex') || '::' || a.name from assets a join principals p on p.id = a.contract where a.id = ${column})`;

/** A key that stands for nothing is shown as such: it must not look like "none". */
function named(table: Table, name: string, type: ColumnType): string {
  const column = `t.${name}`;
  const resolved = (expression: string) =>
    `case when ${column} = 0 then '-' else coalesce(${expression}, 'unknown ' || ${column}) end`;
  // The one column whose meaning depends on the row: an asset for tokens, else the contract that spoke.
  if (table.name === 'events' && name === 'asset') {
    return resolved(`case when t.kind between 5 and 10 then ${asset(column)} else ${principal(column)} end`);
  }
  switch (type) {
    case 'principal':
      return resolved(principal(column));
    case 'asset':
      return resolved(asset(column));
    case 'function':
      return resolved(`(select n.name from functions n where n.id = ${column})`);
    default:
      return column;
  }
}

/** Takes a database back to the state of a fresh one; far cheaper than another clone. */
export async function emptyTables(sql: Pool): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and c.relname not in ('event_log_head', 'fold_position', 'migrations', 'chain_identity', 'token_discovery')
  `;
  await sql.unsafe(
    `${tables.map(({ name }) => `delete from ${name};`).join('\n')}
     update event_log_head set last_id = 0;
     update token_discovery set height = 0, index_hash = '';
     delete from fold_position;
     insert into fold_position (event_id, journal_seq, writer, height, index_hash) values (0, 0, 0, -1, '');`,
  );
}

/** Rows that only one of two dumps has, each with its table; empty when they are equal. */
export function differences(actual: Dump, expected: Dump): string[] {
  return canonicalTables.flatMap(({ name }) => {
    const [a, b] = [new Set(actual[name]), new Set(expected[name])];
    return [
      ...actual[name]!.filter(line => !b.has(line)).map(line => `${name} has ${line}`),
      ...expected[name]!.filter(line => !a.has(line)).map(line => `${name} lacks ${line}`),
      ...(actual[name]!.length === a.size ? [] : [`${name} has a row twice`]),
    ];
  });
}
