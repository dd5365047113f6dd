import { type TProperties, Type } from 'typebox';
import { payloadIdsOf, type TransactionType, transactionTypes } from '../../chain/transaction.ts';
import type { SeriesRow } from './series-queries.ts';

const point = {
  block_height: Type.Integer({ description: 'Height of the block. The values are those after this block.' }),
  block_time: Type.Integer({ description: 'Time of the block in seconds since 1970.' }),
};

const typeCounts = (description: string) =>
  Type.Object(Object.fromEntries(transactionTypes.map(type => [type, Type.Integer()])), { description });

const series = <T extends TProperties>(title: string, values: T) =>
  Type.Object(
    { results: Type.Array(Type.Object({ ...point, ...values }), { description: 'Points, oldest first.' }) },
    { title },
  );

export const BalanceSeries = series('BalanceSeries', {
  balance: Type.String({
    description: 'Micro-STX, base units of a fungible token, or number of tokens of an NFT collection.',
  }),
});

export const SupplySeries = series('SupplySeries', {
  supply: Type.String({ description: 'Micro-STX, or base units of the token.' }),
  holders: Type.Optional(Type.Integer({ description: 'Number of holders of the token. Absent for STX.' })),
});

export const HolderSeries = series('HolderSeries', {
  holders: Type.Integer({ description: 'Number of principals with a balance above zero.' }),
});

export const TransactionSeries = series('TransactionSeries', {
  total: Type.Integer({ description: 'Transactions of all blocks up to this one.' }),
  count: Type.Integer({ description: 'Transactions since the point before; for the first point, those of its block.' }),
  types: typeCounts('The same number by type.'),
});

export const FeeSeries = series('FeeSeries', {
  count: Type.Integer({ description: 'Number of transactions that the percentiles are of.' }),
  p25: Type.Union([Type.String(), Type.Null()], { description: 'Fee in micro-STX. Null if `count` is 0.' }),
  p50: Type.Union([Type.String(), Type.Null()]),
  p75: Type.Union([Type.String(), Type.Null()]),
  p95: Type.Union([Type.String(), Type.Null()]),
});

export const MempoolSeries = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        time: Type.Integer({ description: 'End of the minute in seconds since 1970.' }),
        total: Type.Integer({ description: 'Number of pending transactions.' }),
        types: typeCounts('The same number by type.'),
      }),
      { description: 'Points, oldest first.' },
    ),
  },
  { title: 'MempoolSeries' },
);

/** The block of a point. */
export const renderPoint = ({ height, time }: SeriesRow<object>) => ({ block_height: height, block_time: time });

/** Counts by public type out of counts by payload id; payloads of unknown types are left out. */
export const renderTypeCounts = (byPayloadId: readonly number[]): Record<TransactionType, number> =>
  Object.fromEntries(
    transactionTypes.map(type => [type, payloadIdsOf(type).reduce((sum, id) => sum + (byPayloadId[id] ?? 0), 0)]),
  ) as Record<TransactionType, number>;

/** Fee percentiles of a point. */
export function renderFees({ count, fees }: { count: number; fees: readonly bigint[] | null }) {
  const [p25 = null, p50 = null, p75 = null, p95 = null] = (fees ?? []).map(String);
  return { count, p25, p50, p75, p95 };
}
