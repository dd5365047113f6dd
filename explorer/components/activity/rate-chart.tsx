import { useApi } from '../../api/loaded.ts';
import { LineChart } from '../../charts/line-chart.tsx';
import { isoTime, ratesPerMinute, type Span, startOf } from '../../charts/spans.ts';
import { now } from '../../live/clock.ts';
import { historyRevision } from '../../live/feed.ts';
import { LoadedView } from '../loaded-view.tsx';
import { Empty } from '../message.tsx';

const POINTS = 360;

/** Confirmed transactions a minute. */
export function RateChart({ span }: { span: Span }) {
  const from = isoTime(startOf(span, now.value));
  const series = useApi('/extended/v1/history/transactions', { from, points: POINTS }, historyRevision, span.id);
  return (
    <LoadedView of={series}>
      {({ results }) => {
        // The first point counts its own block only: it is where the first step begins.
        const { x, y } = ratesPerMinute(results, span, results.at(-1)?.block_time ?? 0);
        if (x.length === 0) return <Empty>No blocks in this time.</Empty>;
        return (
          <LineChart
            title={`Confirmed transactions a minute, ${span.label}`}
            x={x}
            xIs="time"
            style="bars"
            bar={span.bucket}
            format={value => String(value)}
            lines={[{ label: 'A minute', tone: 'accent', values: y }]}
          />
        );
      }}
    </LoadedView>
  );
}
