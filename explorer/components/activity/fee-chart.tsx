import { useApi } from '../../api/loaded.ts';
import { LineChart } from '../../charts/line-chart.tsx';
import { isoTime, type Span, startOf } from '../../charts/spans.ts';
import { formatStx } from '../../format/amount.ts';
import { now } from '../../live/clock.ts';
import { historyRevision } from '../../live/feed.ts';
import { LoadedView } from '../loaded-view.tsx';
import { Empty } from '../message.tsx';

const POINTS = 60;
const percentiles = [
  { key: 'p95', label: '95 % pay less than', tone: 'bad' },
  { key: 'p75', label: '75 %', tone: 'wait' },
  { key: 'p50', label: 'Half', tone: 'accent' },
  { key: 'p25', label: '25 %', tone: 'good' },
] as const;

/** Percentiles of the fees that confirmed transactions paid. */
export function FeeChart({ span }: { span: Span }) {
  const from = isoTime(startOf(span, now.value));
  const series = useApi('/extended/v1/history/fees', { from, points: POINTS }, historyRevision, span.id);
  return (
    <LoadedView of={series}>
      {({ results }) => {
        const paid = results.filter(point => point.count > 0);
        if (paid.length === 0) return <Empty>Nobody has paid a fee in this time.</Empty>;
        return (
          <LineChart
            title={`Fees of confirmed transactions, ${span.label}`}
            x={paid.map(point => point.block_height)}
            xIs="block"
            style="steps"
            format={value => `${value} STX`}
            exact={(line, point) => formatStx(BigInt(paid[point]![percentiles[line]!.key] ?? 0))}
            lines={percentiles.map(({ key, label, tone }) => ({
              label,
              tone,
              values: paid.map(point => (point[key] === null ? null : Number(point[key]) / 1_000_000)),
            }))}
          />
        );
      }}
    </LoadedView>
  );
}
