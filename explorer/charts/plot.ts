import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { timeSteps, timeText, timeTexts } from './time-axis.ts';

/** A line of a chart; `tone` names a color variable of the style sheet. A null is not drawn. */
export type Line = { label: string; tone: string; values: readonly (number | null)[] };

export type Drawing = {
  /** Unix seconds or block heights, growing. */
  x: readonly number[];
  xIs: 'time' | 'block';
  lines: readonly Line[];
  /** `areas` are stacked, so that the upper edge is their sum. `steps` hold a value until the next point. */
  style: 'lines' | 'steps' | 'areas' | 'bars';
  format: (value: number) => string;
  /** The width of a bar in seconds. */
  bar?: number | undefined;
  /** An x that is marked by a vertical line. */
  marked?: number | undefined;
  onPick?: ((x: number) => void) | undefined;
};

const HEIGHT = 170;
const MAX_DIGITS = 6;
const shorts = Array.from(
  { length: MAX_DIGITS },
  (_, digits) => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: digits + 1 }),
);

/** Distances of ticks between things that are counted. */
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map(step => step * 10 ** power)).flat();

const allWhole = (lines: readonly Line[]) =>
  lines.every(({ values }) => values.every(value => value === null || Number.isInteger(value)));

/** Short texts of the ticks of an axis, with as many digits as they need to differ. */
export function tickTexts(ticks: readonly number[]): string[] {
  const texts = shorts.map(format => ticks.map(tick => format.format(tick)));
  return texts.find(each => new Set(each).size === ticks.length) ?? texts.at(-1)!;
}

/** The color that a variable of the style sheet has in the theme of an element. */
function colorOf(element: HTMLElement, tone: string): string {
  element.style.color = `var(--${tone})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
}

/** The values as they are drawn: those of areas are sums, from the last line up to the first. */
function drawnValues({ x, lines, style }: Drawing): uPlot.AlignedData {
  if (style !== 'areas') return [[...x], ...lines.map(line => [...line.values])];
  const sums = x.map(() => 0);
  const stacked = lines.toReversed().map(line =>
    line.values.map((value, index) => {
      sums[index]! += value ?? 0;
      return sums[index]!;
    }),
  );
  return [[...x], ...stacked.toReversed()];
}

/** Draws a chart into an element, and returns what removes it. */
export function draw(element: HTMLElement, drawing: Drawing): () => void {
  const { lines, style, xIs, format, onPick } = drawing;
  const [text, line] = [colorOf(element, 'soft'), colorOf(element, 'line')];
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const { bars, stepped, linear } = uPlot.paths;
  // A single point has no area: it is drawn as a bar.
  const barred = style === 'bars' || (style === 'areas' && drawing.x.length === 1);
  const paths = barred ? bars!({ size: [0.8, 40] }) : style === 'steps' ? stepped!({ align: 1 }) : linear!();
  const now = Date.now() / 1000;
  const plot = new uPlot(
    {
      width: Math.max(element.clientWidth, 120),
      height: HEIGHT,
      cursor: { y: false, drag: { x: false, y: false }, points: { show: style === 'lines' || style === 'steps' } },
      scales: {
        x: { time: xIs === 'time', ...((barred || drawing.x.length === 1) && { range: wholeBars(drawing) }) },
        y: { range: (_, low, high) => rangeOf(low, high, style) },
      },
      axes: [
        xIs === 'block'
          ? { ...axis, size: 34, incrs: wholeSteps, values: (_, ticks) => tickTexts(ticks) }
          : {
              ...axis,
              space: 84,
              incrs: timeSteps(drawing.bar),
              size: (_, texts) => (texts?.some(text => text?.includes('\n')) ? 50 : 34),
              values: (_, ticks) => timeTexts(ticks, now),
            },
        {
          ...axis,
          space: 26,
          size: (_, texts) => widthOf(texts),
          values: (_, ticks) => tickTexts(ticks),
          ...(allWhole(lines) && { incrs: wholeSteps }),
        },
      ],
      // The last text of the axis stands below the right edge: half of it needs room.
      padding: [null, xIs === 'time' ? 36 : 20, null, null],
      legend: { markers: { width: 2 } },
      series: [
        xIs === 'time'
          ? { label: 'Time', value: (_, x) => timeText(x ?? drawing.x.at(-1) ?? now, now) }
          : { label: 'Block', value: (_, x) => String(x ?? drawing.x.at(-1) ?? '–') },
        ...lines.map(({ label, tone, values }): uPlot.Series => {
          const stroke = colorOf(element, tone);
          return {
            label,
            stroke,
            paths,
            width: 1.5,
            spanGaps: false,
            points: { show: drawing.x.length < 3 && !barred && style !== 'areas' },
            ...((style === 'areas' || style === 'bars') && { fill: stroke }),
            // The legend shows the value of a line, also where sums are drawn.
            value: (_, _sum, _series, index) => {
              // Until a point is touched, the newest value.
              const value = values[index ?? values.length - 1];
              return value == null ? '–' : format(value);
            },
          };
        }),
      ],
      hooks: { draw: [({ ctx, bbox, valToPos }) => mark(ctx, bbox, valToPos, drawing.marked, text)] },
    },
    drawnValues(drawing),
    element,
  );
  const observer = new ResizeObserver(() => {
    const width = Math.max(element.clientWidth, 120);
    if (width !== plot.width) plot.setSize({ width, height: HEIGHT });
  });
  observer.observe(element);
  if (onPick) {
    plot.over.addEventListener('click', () => {
      const index = plot.cursor.idx;
      if (index != null) onPick(drawing.x[index]!);
    });
  }
  return () => {
    observer.disconnect();
    plot.destroy();
  };
}

/** Sums and counts begin at 0. Other values have some room around them, so that small changes show. */
function rangeOf(low: number, high: number, style: Drawing['style']): [number, number] {
  if (style === 'areas' || style === 'bars') return [0, Math.max(high, 1)];
  if (low === high) return low === 0 ? [0, 1] : [Math.max(0, low * 0.9), high * 1.1];
  const room = (high - low) * 0.08;
  return [Math.max(low - room, 0), high + room];
}

/** Room for the longest text of an axis, in pixels. */
const widthOf = (texts: readonly string[] | null) => 26 + 7.5 * Math.max(3, ...(texts ?? []).map(text => text.length));

/** A chart of bars is at least this many bars wide, so that the first ones are not taken for the whole time. */
const FEWEST_BARS = 12;

/** Half a bar of room at both ends. */
function wholeBars({ x, xIs, style, bar }: Drawing): uPlot.Range.MinMax {
  const [first = 0, last = 0] = [x[0], x.at(-1)];
  const width = bar ?? (x.length > 1 ? (last - first) / (x.length - 1) : xIs === 'time' ? 600 : 2);
  const begin = style === 'bars' ? Math.min(first, last - (FEWEST_BARS - 1) * width) : first;
  return [begin - width / 2, last + width / 2];
}

function mark(
  context: CanvasRenderingContext2D,
  { top, height, left, width }: uPlot.BBox,
  position: uPlot['valToPos'],
  x: number | undefined,
  color: string,
): void {
  if (x === undefined) return;
  const at = position(x, 'x', true);
  if (at < left || at > left + width) return;
  context.save();
  context.strokeStyle = color;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(at, top);
  context.lineTo(at, top + height);
  context.stroke();
  context.restore();
}
