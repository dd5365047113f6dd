import type { ComponentChildren } from 'preact';

/** A column: its title, which also labels the cells on a phone, and what a row shows in it. */
export type Column<T> = {
  title: string;
  cell: (row: T) => ComponentChildren;
  /** Numbers are aligned to the right. */
  number?: boolean;
  /** A further class of the cell of a row. */
  tone?: (row: T) => string;
};

type RowTableProps<T> = {
  of: readonly T[];
  /** Read to users of screen readers. */
  caption: string;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string | number;
};

/** Rows as a table; on a phone each row is a small card. */
export function RowTable<T>({ of, caption, columns, keyOf }: RowTableProps<T>) {
  return (
    <table class="rows">
      <caption class="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, number }) => (
            <th key={title} scope="col" class={number ? 'number' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {of.map(row => (
          <tr key={keyOf(row)}>
            {columns.map(column => (
              <td key={column.title} data-label={column.title} class={classOf(column, row)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf<T>({ number, tone }: Column<T>, row: T): string | undefined {
  const classes = [...(number ? ['number'] : []), ...(tone ? [tone(row)] : [])];
  return classes.length > 0 ? classes.join(' ') : undefined;
}
