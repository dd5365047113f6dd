import { type Static, type TSchema, Type } from 'typebox';
import type { TransactionType } from '../../chain/transaction.ts';
import type { MempoolTypeStats, Percentiles } from './stats-queries.ts';

/** Types that people send; the statistics list all of them, also those without pending transactions. */
const types = ['token_transfer', 'smart_contract', 'contract_call', 'poison_microblock'] as const;

const byType = <T extends TSchema>(value: T) => Type.Object(Object.fromEntries(types.map(type => [type, value])));
const percentile = Type.Union([Type.Number(), Type.Null()], {
  description: 'Null if no transaction of this type is pending.',
});
const PercentileSet = Type.Object(
  { p25: percentile, p50: percentile, p75: percentile, p95: percentile },
  { title: 'Percentiles' },
);

export const MempoolStats = Type.Object(
  {
    tx_type_counts: byType(Type.Integer()),
    tx_simple_fee_averages: byType(PercentileSet),
    tx_ages: byType(PercentileSet),
    tx_byte_sizes: byType(PercentileSet),
  },
  { title: 'MempoolStats', description: 'Fees are in micro-STX, ages in blocks, sizes in bytes.' },
);
export type MempoolStats = Static<typeof MempoolStats>;

export function renderMempoolStats(
  counts: ReadonlyMap<TransactionType, number>,
  stats: ReadonlyMap<TransactionType, MempoolTypeStats>,
): MempoolStats {
  const each = <T>(render: (type: (typeof types)[number]) => T) =>
    Object.fromEntries(types.map(type => [type, render(type)]));
  return {
    tx_type_counts: each(type => counts.get(type) ?? 0),
    tx_simple_fee_averages: each(type => percentiles(stats.get(type)?.fee)),
    tx_ages: each(type => percentiles(stats.get(type)?.age)),
    tx_byte_sizes: each(type => percentiles(stats.get(type)?.size)),
  };
}

const percentiles = (values: Percentiles | undefined) => ({
  p25: values?.[0] ?? null,
  p50: values?.[1] ?? null,
  p75: values?.[2] ?? null,
  p95: values?.[3] ?? null,
});

const FeePriorities = Type.Object(
  {
    no_priority: Type.Integer(),
    low_priority: Type.Integer(),
    medium_priority: Type.Integer(),
    high_priority: Type.Integer(),
  },
  {
    title: 'FeePriorities',
    description:
      'The 25th (`no_priority`), 50th, 75th and 95th (`high_priority`) percentile of pending fees, in micro-STX.',
  },
);

export const MempoolFees = Type.Object(
  {
    all: FeePriorities,
    token_transfer: Type.Optional(FeePriorities),
    contract_call: Type.Optional(FeePriorities),
    smart_contract: Type.Optional(FeePriorities),
  },
  { title: 'MempoolFeePriorities', description: 'A type without pending transactions is absent.' },
);
export type MempoolFees = Static<typeof MempoolFees>;

export function renderMempoolFees(fees: ReadonlyMap<TransactionType | 'all', Percentiles>): MempoolFees {
  const result: MempoolFees = { all: priorities(fees.get('all') ?? []) };
  for (const type of ['token_transfer', 'contract_call', 'smart_contract'] as const) {
    const values = fees.get(type);
    if (values) result[type] = priorities(values);
  }
  return result;
}

const priorities = (values: Percentiles) => ({
  no_priority: roundHalfToEven(values[0] ?? 0),
  low_priority: roundHalfToEven(values[1] ?? 0),
  medium_priority: roundHalfToEven(values[2] ?? 0),
  high_priority: roundHalfToEven(values[3] ?? 0),
});

/** A half goes to the even neighbour, as these figures were always rounded. */
function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
