import { type Static, Type } from 'typebox';
import type { MempoolSummaryRow } from './summary-queries.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const percentilesOf = <T extends Type.TSchema>(value: T, title: string) => {
  const one = nullable(value);
  return Type.Object(
    { p25: one, p50: one, p75: one, p95: one },
    { title, description: 'Percentiles; null if nothing is pending.' },
  );
};
const Amounts = percentilesOf(Type.String(), 'MempoolAmountPercentiles');
const Numbers = percentilesOf(Type.Integer(), 'MempoolPercentiles');

const fields = {
  count: Type.Integer({ description: 'Number of pending transactions.' }),
  fee_rate: Amounts,
  tx_size: Numbers,
  receipt_time: Numbers,
  receipt_block_height: Numbers,
};
const MempoolFigures = Type.Object(fields, {
  title: 'MempoolFigures',
  description: 'Fees are in micro-STX, sizes in bytes, receipt times in Unix seconds.',
});
type MempoolFigures = Static<typeof MempoolFigures>;

const types = ['token_transfer', 'smart_contract', 'contract_call'] as const;

export const MempoolSummary = Type.Object(
  {
    ...fields,
    by_type: Type.Object({
      token_transfer: MempoolFigures,
      smart_contract: MempoolFigures,
      contract_call: MempoolFigures,
    }),
  },
  {
    title: 'MempoolSummary',
    description: 'Fees are in micro-STX, sizes in bytes, receipt times in Unix seconds.',
  },
);
export type MempoolSummary = Static<typeof MempoolSummary>;

const percentiles = <T, R>(values: readonly T[] | undefined, render: (value: T) => R) => {
  const [p25 = null, p50 = null, p75 = null, p95 = null] = (values ?? []).map(render);
  return { p25, p50, p75, p95 };
};

const figures = (row: MempoolSummaryRow | undefined): MempoolFigures => ({
  count: row?.count ?? 0,
  fee_rate: percentiles(row?.fee, String),
  tx_size: percentiles(row?.size, Number),
  receipt_time: percentiles(row?.received_at, Number),
  receipt_block_height: percentiles(row?.received_height, Number),
});

export function renderMempoolSummary(rows: readonly MempoolSummaryRow[]): MempoolSummary {
  const [token_transfer, smart_contract, contract_call] = types.map(type =>
    figures(rows.find(row => row.type === type)),
  );
  return {
    ...figures(rows.find(row => row.type === null)),
    by_type: { token_transfer: token_transfer!, smart_contract: smart_contract!, contract_call: contract_call! },
  };
}
