import { useApi } from '../../api/loaded.ts';
import { LineChart } from '../../charts/line-chart.tsx';
import { formatUnits } from '../../format/amount.ts';
import { formatCount } from '../../format/number.ts';
import { historyRevision } from '../../live/feed.ts';
import { LoadedView } from '../loaded-view.tsx';

const POINTS = 200;

/** The supply of a token over all blocks, and below it the number of its holders. */
export function SupplyChart({ asset, decimals }: { asset: string; decimals: number }) {
  const series = useApi('/extended/v1/history/supply', { asset, points: POINTS }, historyRevision);
  return (
    <LoadedView of={series}>
      {({ results }) => {
        const x = results.map(point => point.block_height);
        return (
          <>
            <LineChart
              title="Supply by block"
              x={x}
              xIs="block"
              style="steps"
              format={value => value.toLocaleString('en', { maximumFractionDigits: 6 })}
              exact={(_, point) => formatUnits(BigInt(results[point]!.supply), decimals)}
              lines={[
                {
                  label: 'Supply',
                  tone: 'accent',
                  values: results.map(point => Number(point.supply) / 10 ** decimals),
                },
              ]}
            />
            <LineChart
              title="Holders by block"
              x={x}
              xIs="block"
              style="steps"
              format={formatCount}
              lines={[{ label: 'Holders', tone: 'blue', values: results.map(point => point.holders ?? 0) }]}
            />
          </>
        );
      }}
    </LoadedView>
  );
}
