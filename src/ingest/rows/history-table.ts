import type { ColumnType, Table } from '../../db/table.ts';

/** A table that only grows, whose newest row of a key is the state of that key. */
export type HistoryTable = Table & {
  /** Columns that say what a row is about. */
  key: readonly string[];
  /** Columns that order the rows of a key, the most significant first; one of them is `height`. */
  order: readonly string[];
};

/** The type of an array element in SQL; a column of arrays has none. */
export function sqlType(table: Table, column: string): string {
  const type = table.columns[column];
  if (type === undefined) throw new Error(`${table.name} has no column ${column}`);
  const named = sqlTypes[type];
  if (named === undefined) throw new Error(`${table.name}.${column} cannot be sent as an array`);
  return named;
}

const sqlTypes: Record<ColumnType, string | undefined> = {
  bool: 'bool',
  int2: 'int2',
  int4: 'int4',
  int8: 'int8',
  numeric: 'numeric',
  bytea: 'bytea',
  text: 'text',
  timestamptz: 'timestamptz',
  principal: 'int4',
  asset: 'int4',
  function: 'int4',
  'int4[]': undefined,
  'int8[]': undefined,
};

/** `t.a, t.b`: columns of an alias. */
export const columnsOf = (alias: string, columns: readonly string[]): string =>
  columns.map(column => `${alias}.${column}`).join(', ');

/** `t.a = k.a and t.b = k.b`: two aliases agree on the key. */
export const sameKey = (a: string, b: string, key: readonly string[]): string =>
  key.map(column => `${a}.${column} = ${b}.${column}`).join(' and ');

/** `t.height desc, t.place desc`: the newest row first. */
export const newestFirst = (alias: string, order: readonly string[]): string =>
  order.map(column => `${alias}.${column} desc`).join(', ');
