import { useApi } from '../../api/loaded.ts';
import type { ExecutionCost } from '../../api/schema.ts';
import { costLimitsAt } from '../../chain/cost-limits.ts';
import { formatBytes, formatCount } from '../../format/number.ts';
import { Bar } from '../bar.tsx';

const rows: readonly [key: keyof ExecutionCost, label: string, format: (value: number) => string][] = [
  ['runtime', 'Computing', formatCount],
  ['read_count', 'Reads', formatCount],
  ['read_length', 'Bytes read', formatBytes],
  ['write_count', 'Writes', formatCount],
  ['write_length', 'Bytes written', formatBytes],
];

/** The five measures of work, each against the limit that it had at a Bitcoin height. */
export function CostBars({ cost, burnHeight }: { cost: ExecutionCost; burnHeight: number }) {
  const pox = useApi('/v2/pox');
  const limits = costLimitsAt(pox.state === 'ready' ? pox.data : undefined, burnHeight);
  return (
    <div class="bars">
      {rows.map(([key, label, format]) => {
        const percent = (cost[key] / limits[key]) * 100;
        const share = percent === 0 ? '0 %' : percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`;
        return (
          <Bar
            key={key}
            label={label}
            part={cost[key]}
            whole={limits[key]}
            text={`${format(cost[key])} of ${format(limits[key])} · ${share}`}
          />
        );
      })}
    </div>
  );
}
