import { useApi } from '../../api/loaded.ts';
import { LineChart } from '../../charts/line-chart.tsx';
import { formatStx, formatUnits } from '../../format/amount.ts';
import { historyRevision } from '../../live/feed.ts';
import { symbolOf, useTokenFacts } from '../../tokens/token-facts.ts';
import { LoadedView } from '../loaded-view.tsx';
import { Empty } from '../message.tsx';

const POINTS = 200;

type Props = {
  principal: string;
  /** `stx` or an asset identifier. */
  asset: string;
  /** The block that is looked at; undefined is the newest. */
  marked: number | undefined;
  onPick: (height: number) => void;
};

/** The balance of an account over all blocks. A click chooses a block. */
export function BalanceChart({ principal, asset, marked, onPick }: Props) {
  const series = useApi(
    '/extended/v1/history/balances/{principal}',
    { principal, points: POINTS, ...(asset !== 'stx' && { asset }) },
    historyRevision,
  );
  const facts = useTokenFacts(asset === 'stx' ? undefined : asset);
  const { decimals = 0 } = facts;
  const name = asset === 'stx' ? 'STX' : symbolOf(facts, asset);
  const textOf = (units: bigint) => (asset === 'stx' ? formatStx(units) : `${formatUnits(units, decimals)} ${name}`);
  const scale = 10 ** (asset === 'stx' ? 6 : decimals);
  return (
    <LoadedView of={series}>
      {({ results }) => {
        if (results.every(point => point.balance === '0')) return <Empty>This account never held any {name}.</Empty>;
        return (
          <LineChart
            title={`Balance of ${name} by block`}
            x={results.map(point => point.block_height)}
            xIs="block"
            style="steps"
            format={value => value.toLocaleString('en', { maximumFractionDigits: 6 })}
            exact={(_, point) => textOf(BigInt(results[point]!.balance))}
            lines={[{ label: name, tone: 'accent', values: results.map(point => Number(point.balance) / scale) }]}
            marked={marked}
            onPick={onPick}
          />
        );
      }}
    </LoadedView>
  );
}
