import type { HistoryTable } from '../rows/history-table.ts';
import { integerKey, type RunningTotal } from '../rows/running-total.ts';

export const sbtcTotalsTable: HistoryTable = {
  name: 'sbtc_totals',
  columns: {
    height: 'int4',
    deposits: 'int4',
    requests: 'int4',
    accepted: 'int4',
    rejected: 'int4',
    registry: 'int2',
    deposited: 'numeric',
    requested: 'numeric',
    withdrawn: 'numeric',
    returned: 'numeric',
    fees: 'numeric',
  },
  key: ['registry'],
  order: ['height'],
};

/** Counts and sums of a registry. What was withdrawn or returned is without fees. */
export type SbtcTotals = {
  deposits: number;
  requests: number;
  accepted: number;
  rejected: number;
  deposited: bigint;
  requested: bigint;
  withdrawn: bigint;
  returned: bigint;
  fees: bigint;
};

export const sbtcTotals: RunningTotal<number, SbtcTotals> = {
  history: sbtcTotalsTable,
  values: ['deposits', 'requests', 'accepted', 'rejected', 'deposited', 'requested', 'withdrawn', 'returned', 'fees'],
  ...integerKey('registry'),
  initial: () => ({
    ...{ deposits: 0, requests: 0, accepted: 0, rejected: 0 },
    ...{ deposited: 0n, requested: 0n, withdrawn: 0n, returned: 0n, fees: 0n },
  }),
  read: row => ({
    deposits: row.deposits,
    requests: row.requests,
    accepted: row.accepted,
    rejected: row.rejected,
    deposited: BigInt(row.deposited),
    requested: BigInt(row.requested),
    withdrawn: BigInt(row.withdrawn),
    returned: BigInt(row.returned),
    fees: BigInt(row.fees),
  }),
};
