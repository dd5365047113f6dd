import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A column: its title, which also labels the cells on a phone, and what a row shows in it. */
export type Column<T> = {
  title: string;
  cell: (row: T) => ComponentChildren;
  /** On a phone: beside the first column, at the right. */
  side?: boolean;
  /** On a phone: on a line with other lesser values, with its title. */
  minor?: boolean;
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

/** Rows that are drawn or left out together. Tables of a few parts are always drawn as a whole. */
const PART = 100;
const WHOLE_PARTS = 4;
/** How far outside of the window rows are drawn, in pixels. */
const MARGIN = 1500;

/** Rows as a table; on a phone each row is a small card. Of a long table only the rows near the window are drawn. */
export function RowTable<T>({ of, caption, columns, keyOf }: RowTableProps<T>) {
  const parts = Array.from({ length: Math.ceil(of.length / PART) }, (_, index) =>
    of.slice(index * PART, (index + 1) * PART),
  );
  return (
    <table class="rows" aria-rowcount={parts.length > WHOLE_PARTS ? of.length + 1 : undefined}>
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
      {parts.length <= WHOLE_PARTS ? (
        <tbody>
          <Rows of={of} columns={columns} keyOf={keyOf} />
        </tbody>
      ) : (
        parts.map((part, index) => (
          <TablePart key={index} rows={part.length} columns={columns.length} drawn={index === 0}>
            {() => <Rows of={part} columns={columns} keyOf={keyOf} />}
          </TablePart>
        ))
      )}
    </table>
  );
}

function Rows<T>({ of, columns, keyOf }: Omit<RowTableProps<T>, 'caption'>) {
  return (
    <>
      {of.map(row => (
        <tr key={keyOf(row)}>
          {columns.map(column => (
            <td key={column.title} data-label={column.title} class={classOf(column, row)}>
              {column.cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </>
  );
}

type PartProps = { rows: number; columns: number; drawn: boolean; children: () => ComponentChildren };

/** Rows that are drawn while they are near the window. Elsewhere an empty row has their height. */
function TablePart({ rows, columns, drawn, children }: PartProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const height = useRef(rows * 60);
  const [near, setNear] = useState(drawn);
  useEffect(() => {
    const element = body.current!;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        if (!entry.isIntersecting && entry.boundingClientRect.height > 0)
          height.current = entry.boundingClientRect.height;
        setNear(entry.isIntersecting);
      },
      { rootMargin: `${MARGIN}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <tbody ref={body}>
      {near ? (
        children()
      ) : (
        <tr class="undrawn">
          <td colSpan={columns} style={{ height: `${height.current}px` }} />
        </tr>
      )}
    </tbody>
  );
}

function classOf<T>({ number, side, minor, tone }: Column<T>, row: T): string | undefined {
  const classes = [
    ...(number ? ['number'] : []),
    ...(side ? ['side'] : []),
    ...(minor ? ['minor'] : []),
    ...(tone ? [tone(row)] : []),
  ];
  return classes.length > 0 ? classes.join(' ') : undefined;
}
