import { arrayLiteral } from '../../db/client.ts';
import type { ColumnType, Row, Table } from '../../db/table.ts';

const sqlTypes: Record<Exclude<ColumnType, 'int4[]' | 'int8[]'>, string> = {
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
};

export type Statement = { text: string; values: string[] };

/** One statement that inserts rows and, where a key is there already, updates it or leaves it alone. */
export function upsert(table: Table, key: readonly string[], rows: Row[], conflict: 'update' | 'ignore'): Statement {
  const columns = Object.entries(table.columns);
  const names = columns.map(([name]) => name);
  const arrays = columns.map(([name, type], i) => {
    if (type === 'int4[]' || type === 'int8[]') throw new Error(`${table.name}.${name} cannot be upserted`);
    return `$${i + 1}::${sqlTypes[type]}[]`;
  });
  const updates = names.filter(name => !key.includes(name)).map(name => `${name} = excluded.${name}`);
  const action = conflict === 'ignore' || updates.length === 0 ? 'do nothing' : `do update set ${updates.join(', ')}`;
  return {
    text: `insert into ${table.name} (${names.join(', ')})
      select * from unnest(${arrays.join(', ')})
      on conflict (${key.join(', ')}) ${action}`,
    values: columns.map((_, i) => arrayLiteral(rows.map(row => row[i]!))),
  };
}
