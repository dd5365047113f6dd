import { arrayLiteral, type Sql } from '../../db/client.ts';
import type { Value } from '../../db/table.ts';
import { columnsOf, type HistoryTable, newestFirst, sameKey, sqlType } from './history-table.ts';

/** A running total of each key: what it stood at after the newest row of its history. */
export type RunningTotal<K extends Key, V> = {
  history: HistoryTable;
  /** Columns of the history that hold the total. */
  values: readonly string[];
  /** The values of the key columns, in their order. */
  toColumns(key: K): readonly Value[];
  /** The key of a row that was read. */
  toKey(row: TotalRow): K;
  /** The total of a key that has no row yet. */
  initial(): V;
  /** The total that a row holds. */
  read(row: TotalRow): V;
};

export type Key = number | string;

/** The key and value columns of a row: numeric as text, bytea as Buffer. */
// biome-ignore lint/suspicious/noExplicitAny: the declaration that names the columns also reads them
export type TotalRow = Record<string, any>;

/** Reads the totals of keys as they stood at `height`; a key without a row is missing. One index seek for each key. */
export async function readTotals<K extends Key, V>(
  sql: Sql,
  { history, values, toColumns, toKey, read }: RunningTotal<K, V>,
  keys: readonly K[],
  height: number,
): Promise<[K, V][]> {
  const { key, order, name } = history;
  const columns = keys.map(toColumns);
  const arrays = key.map(
    (column, i) => sql`${arrayLiteral(columns.map(row => row[i]!))}::${sql.unsafe(sqlType(history, column))}[]`,
  );
  const rows = await sql<TotalRow[]>`
    select ${sql.unsafe(`${columnsOf('k', key)}, ${columnsOf('t', values)}`)}
    from unnest(${arrays.reduce((list, array) => sql`${list}, ${array}`)}) as k (${sql.unsafe(key.join(', '))})
    cross join lateral (
      select ${sql.unsafe(columnsOf('t', values))}
      from ${sql.unsafe(name)} t
      where ${sql.unsafe(sameKey('t', 'k', key))} and t.height <= ${height}
      order by ${sql.unsafe(newestFirst('t', order))}
      limit 1
    ) t
  `;
  return rows.map(row => [toKey(row), read(row)]);
}

/** The key of what a principal holds of an asset: exact for 4 million assets and 2^31 principals. */
export const holding = (principal: number, asset: number): number => asset * span + principal;

const span = 0x8000_0000;

/** The parts of `holding`, for totals whose key columns are `principal` and `asset`. */
export const holdingKey = {
  toColumns: (key: number): [principal: number, asset: number] => {
    const asset = Math.floor(key / span);
    return [key - asset * span, asset];
  },
  toKey: (row: TotalRow): number => holding(row.principal, row.asset),
};

/** The parts of a key that is one integer column. */
export const integerKey = (column: string) => ({
  toColumns: (key: number): number[] => [key],
  toKey: (row: TotalRow): number => row[column],
});
