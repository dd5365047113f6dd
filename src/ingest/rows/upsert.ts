import { arrayLiteral } from '../../db/client.ts';
import type { Row, Table } from '../../db/table.ts';
import { sqlType } from './history-table.ts';

export type Statement = { text: string; values: string[] };

/** One statement that inserts rows and, where a key is there already, updates it or leaves it alone. */
export function upsert(table: Table, key: readonly string[], rows: Row[], conflict: 'update' | 'ignore'): Statement {
  const columns = Object.entries(table.columns);
  const names = columns.map(([name]) => name);
  const arrays = names.map((name, i) => `$${i + 1}::${sqlType(table, name)}[]`);
  const updates = names.filter(name => !key.includes(name)).map(name => `${name} = excluded.${name}`);
  const action = conflict === 'ignore' || updates.length === 0 ? 'do nothing' : `do update set ${updates.join(', ')}`;
  return {
    text: `insert into ${table.name} (${names.join(', ')})
      select * from unnest(${arrays.join(', ')})
      on conflict (${key.join(', ')}) ${action}`,
    values: columns.map((_, i) => arrayLiteral(rows.map(row => row[i]!))),
  };
}
