import { formatCount } from '../format/number.ts';

/** A column without a value is not known, and stays empty. */
type Column = { label: string; value: number | undefined };

const WIDTH = 300;
const HEIGHT = 90;

/** Columns over time, with the same numbers as a table for those who do not see them. */
export function ColumnChart({ title, columns }: { title: string; columns: readonly Column[] }) {
  const most = Math.max(...columns.map(column => column.value ?? 0), 1);
  const step = WIDTH / Math.max(columns.length, 1);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 14}`} role="img" aria-label={title} preserveAspectRatio="none">
        {columns.map(({ label, value }, index) => {
          if (value === undefined) return null;
          const height = (value / most) * HEIGHT;
          return (
            <rect
              key={label}
              class="column-fill"
              x={index * step + 1}
              y={HEIGHT - height}
              width={Math.max(step - 2, 1)}
              height={Math.max(height, 1)}
            >
              <title>{`${label}: ${formatCount(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{columns[0]?.label}</span>
        <span>up to {formatCount(most)}</span>
        <span>{columns.at(-1)?.label}</span>
      </figcaption>
      <ChartTable title={title} columns={columns} />
    </figure>
  );
}

/** The numbers of a chart. */
export function ChartTable({ title, columns }: { title: string; columns: readonly Column[] }) {
  return (
    <details class="chart-table">
      <summary>As a table</summary>
      <table>
        <caption class="sr-only">{title}</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ label, value }) => (
            <tr key={label}>
              <td>{label}</td>
              <td class="number">{value === undefined ? 'not known' : formatCount(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
