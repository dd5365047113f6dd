import type { ExecutionCost } from '../../api/schema.ts';
import { formatBytes, formatCount } from '../../format/number.ts';
import { Bar } from '../bar.tsx';

/** What the transactions of one tenure may use together on mainnet (SIP-006 and its successors). */
const limits: ExecutionCost = {
  runtime: 5_000_000_000,
  read_count: 15_000,
  read_length: 100_000_000,
  write_count: 15_000,
  write_length: 15_000_000,
};

const rows: readonly [key: keyof ExecutionCost, label: string, format: (value: number) => string][] = [
  ['runtime', 'Computing', formatCount],
  ['read_count', 'Reads', formatCount],
  ['read_length', 'Bytes read', formatBytes],
  ['write_count', 'Writes', formatCount],
  ['write_length', 'Bytes written', formatBytes],
];

/** The five measures of work, each against its limit. */
export function CostBars({ cost }: { cost: ExecutionCost }) {
  return (
    <div class="bars">
      {rows.map(([key, label, format]) => {
        const percent = (cost[key] / limits[key]) * 100;
        const share = percent === 0 ? '0 %' : percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`;
        return (
          <Bar key={key} label={label} part={cost[key]} whole={limits[key]} text={`${format(cost[key])} · ${share}`} />
        );
      })}
    </div>
  );
}
