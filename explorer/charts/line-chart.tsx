import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount } from '../format/number.ts';
import { utcTime } from '../format/time.ts';
import { theme } from '../theme.ts';
import type { Drawing } from './plot.ts';

type Props = Drawing & {
  title: string;
  /** The exact text of a value in the table; by default that of the drawing. */
  exact?: (line: number, point: number) => string;
};

/** Values over time, drawn, with the same numbers as a table. The code that draws is loaded when it is first needed. */
export function LineChart({ title, exact, ...drawing }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const look = useLook();
  const [failed, setFailed] = useState(false);
  const content = JSON.stringify([drawing.x, drawing.lines, drawing.style, drawing.marked]);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let remove: (() => void) | undefined;
    let left = false;
    // A task of its own: several charts may wait for the code.
    import('./plot.ts').then(
      ({ draw }) =>
        setTimeout(() => {
          if (!left) remove = draw(element, drawing);
        }),
      () => setFailed(true),
    );
    return () => {
      left = true;
      remove?.();
    };
  }, [content, look]);
  return (
    <figure class="chart" aria-label={title}>
      {failed ? (
        <p class="empty">The chart could not be loaded. Its numbers are in the table.</p>
      ) : (
        <div class="plot" ref={place} aria-hidden="true" />
      )}
      <ChartTable title={title} drawing={drawing} exact={exact} />
    </figure>
  );
}

/** Changes when the colors of the page change. */
function useLook(): string {
  const [dark, setDark] = useState(false);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const update = () => setDark(media.matches);
    update();
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, []);
  return `${theme.value} ${dark}`;
}

type TableProps = { title: string; drawing: Drawing; exact: Props['exact'] };

/** The numbers of a chart. They are written when the table is opened. */
function ChartTable({ title, drawing: { x, xIs, lines, format }, exact }: TableProps) {
  const [open, setOpen] = useState(false);
  return (
    <details class="chart-table" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        As a table<span class="sr-only">: {title}</span>
      </summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <div class="chart-numbers" tabIndex={0}>
          <table>
            <caption class="sr-only">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{xIs === 'time' ? 'When' : 'Block'}</th>
                {lines.map(({ label }) => (
                  <th scope="col" class="number" key={label}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {x.map((at, point) => (
                <tr key={at}>
                  <th scope="row">{xIs === 'time' ? utcTime(at) : formatCount(at)}</th>
                  {lines.map(({ label, values }, line) => (
                    <td class="number" key={label}>
                      {values[point] == null ? 'not known' : (exact?.(line, point) ?? format(values[point]))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
