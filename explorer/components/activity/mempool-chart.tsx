import { useApi } from '../../api/loaded.ts';
import { LineChart } from '../../charts/line-chart.tsx';
import { isoTime, type Span, startOf } from '../../charts/spans.ts';
import { formatCount } from '../../format/number.ts';
import { now } from '../../live/clock.ts';
import { historyRevision } from '../../live/feed.ts';
import { typeWords } from '../../words/transaction.ts';
import { LoadedView } from '../loaded-view.tsx';
import { Empty } from '../message.tsx';

const POINTS = 200;
const tones: Readonly<Record<string, string>> = {
  token_transfer: 'blue',
  contract_call: 'accent',
  smart_contract: 'good',
};

/** Pending transactions by type. */
export function MempoolChart({ span }: { span: Span }) {
  const from = isoTime(startOf(span, now.value));
  const series = useApi('/extended/v1/history/mempool', { from, points: POINTS }, historyRevision, span.id);
  return (
    <LoadedView of={series}>
      {({ results }) => {
        if (results.length === 0) return <Empty>The first sample is taken at the end of a minute.</Empty>;
        const types = Object.keys(results[0]!.types) as (keyof (typeof results)[number]['types'])[];
        const shown = types.filter(type => type in tones || results.some(point => point.types[type]! > 0));
        return (
          <LineChart
            title={`Pending transactions by type, ${span.label}`}
            x={results.map(point => point.time)}
            xIs="time"
            style="areas"
            format={formatCount}
            lines={shown.map(type => ({
              label: typeWords(type),
              tone: tones[type] ?? 'soft',
              values: results.map(point => point.types[type]!),
            }))}
          />
        );
      }}
    </LoadedView>
  );
}
