import type { HistoryTable } from '../rows/history-table.ts';
import type { Projection } from '../rows/projection.ts';
import { holding, holdingKey, type RunningTotal } from '../rows/running-total.ts';
import { loaded } from '../rows/running-totals.ts';
import { transferSides } from '../rows/transfer-sides.ts';

const transfersTable: HistoryTable = {
  name: 'transfers',
  columns: {
    principal: 'principal',
    asset: 'asset',
    height: 'int4',
    event_index: 'int4',
    seq: 'int4',
    place: 'int2',
  },
  key: ['principal', 'asset'],
  order: ['height', 'place', 'event_index'],
};

/** How many transfers of an asset a principal has. */
const transferTotals: RunningTotal<number, { seq: number }> = {
  history: transfersTable,
  values: ['seq'],
  ...holdingKey,
  initial: () => ({ seq: 0 }),
  read: row => ({ seq: row.seq }),
};

/** Events that credited or debited an account, by what they moved. */
export const transfers: Projection = {
  tables: [transfersTable],
  totals: [transferTotals],

  wants({ transactions }, want) {
    for (const { events } of transactions) {
      for (const event of events) {
        for (const { principal, asset } of transferSides(event)) {
          want(transferTotals, holding(principal, asset), principal);
        }
      }
    }
  },

  apply({ height, transactions }, totals, _chain, rows) {
    const counts = totals.of(transferTotals);
    for (const { events, place } of transactions) {
      for (const event of events) {
        for (const { principal, asset } of transferSides(event)) {
          const seq = ++loaded(counts, holding(principal, asset)).seq;
          rows.add(transfersTable, [principal, asset, height, event.index, seq, place]);
        }
      }
    }
  },
};
