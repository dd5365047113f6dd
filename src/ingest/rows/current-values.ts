import type { Table } from '../../db/table.ts';
import { columnsOf, type HistoryTable, newestFirst, sameKey, sqlType } from './history-table.ts';
import type { CurrentTable } from './table-kinds.ts';

/** A table of current values, and the statements that make it agree with a history. */
export type CurrentValues = {
  table: Table;
  /** Takes it from the tip ($2) back to its state at height $1; the history rows above still exist. */
  restore: readonly string[];
  /** Fills the empty table from the history, after a bulk load. */
  derive: readonly string[];
};

export type LatestRow = {
  table: CurrentTable;
  /** Its key columns have the same names. */
  history: Table;
  /** What orders the rows of a key, the most significant first. */
  order: readonly string[];
  /** The other columns of the current table, each as an expression over the columns of the history `h`. */
  values: Readonly<Record<string, string>>;
};

/** A table that holds the newest row of each key of a history. */
export function latestRow({ table, history, order, values }: LatestRow): CurrentValues {
  const { key } = table;
  const columns = Object.keys(values);
  for (const column of [...key, ...columns]) sqlType(table, column);
  const selected = columns.map(column => `${values[column]} as ${column}`).join(', ');
  return {
    table,
    restore: [
      `with touched as (
         select distinct ${columnsOf('h', key)} from ${history.name} h where h.height > $1::int
       ), past as (
         select ${columnsOf('t', key)}, p.found, ${columnsOf('p', columns)}
         from touched t
         left join lateral (
           select true as found, ${selected}
           from ${history.name} h
           where ${sameKey('h', 't', key)} and h.height <= $1::int
           order by ${newestFirst('h', order)}
           limit 1
         ) p on true
       )
       merge into ${table.name} c
       using past p on ${sameKey('c', 'p', key)}
       when matched and p.found is null then delete
       when matched and $2::int is not null then update set
         ${columns.map(column => `${column} = p.${column}`).join(', ')}`,
    ],
    derive: [
      `insert into ${table.name} (${[...key, ...columns].join(', ')})
       select distinct on (${columnsOf('h', key)}) ${columnsOf('h', key)}, ${selected}
       from ${history.name} h
       order by ${columnsOf('h', key)}, ${newestFirst('h', order)}`,
    ],
  };
}

export type RankedHolders = {
  /** The table of ranks, by asset, balance and principal. */
  holders: Table;
  history: HistoryTable;
  /** The asset as an expression over the key columns of `n`. */
  asset: string;
  /** The balance as an expression over the columns of `b`. */
  balance: string;
};

/** A table of ranks: a row is found by its balance, since the index of the ranks is the only one. */
export function rankedHolders({ holders, history, asset, balance }: RankedHolders): CurrentValues {
  const { name, key, order } = history;
  /** The balance of each key that a block above $1 changed, as it stood at the height in the placeholder. */
  const touchedAt = (height: string) => `
    select ${columnsOf('t', key)}, p.balance
    from (select distinct ${columnsOf('b', key)} from ${name} b where b.height > $1::int) t
    cross join lateral (
      select ${balance} as balance
      from ${name} b
      where ${sameKey('b', 't', key)} and b.height <= ${height}::int
      order by ${newestFirst('b', order)}
      limit 1
    ) p`;
  const insert = `insert into ${holders.name} (asset, principal, balance) select ${asset}, n.principal, n.balance`;
  return {
    table: holders,
    restore: [
      `delete from ${holders.name} h using (${touchedAt('$2')}) n
       where h.asset = ${asset} and h.balance = n.balance and h.principal = n.principal`,
      `${insert} from (${touchedAt('$1')}) n where $2::int is not null`,
    ],
    derive: [
      `${insert}
       from (
         select distinct on (${columnsOf('b', key)}) ${columnsOf('b', key)}, ${balance} as balance
         from ${name} b
         order by ${columnsOf('b', key)}, ${newestFirst('b', order)}
       ) n`,
    ],
  };
}
