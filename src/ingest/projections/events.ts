import type { Table } from '../../db/table.ts';
import type { HistoryTable } from '../rows/history-table.ts';
import type { Projection } from '../rows/projection.ts';
import { integerKey, type RunningTotal } from '../rows/running-total.ts';
import { loaded } from '../rows/running-totals.ts';

const eventsTable: Table = {
  name: 'events',
  columns: {
    height: 'int4',
    event_index: 'int4',
    asset: 'int4',
    sender: 'principal',
    recipient: 'principal',
    place: 'int2',
    kind: 'int2',
    amount: 'numeric',
    value: 'bytea',
  },
};

const contractLogTotalsTable: HistoryTable = {
  name: 'contract_log_totals',
  columns: { contract: 'principal', height: 'int4', total: 'int4' },
  key: ['contract'],
  order: ['height'],
};

/** How often each contract has printed. */
const logTotals: RunningTotal<number, { total: number }> = {
  history: contractLogTotalsTable,
  values: ['total'],
  ...integerKey('contract'),
  initial: () => ({ total: 0 }),
  read: row => ({ total: row.total }),
};

/** All events of successful transactions, and how often each contract has printed. */
export const events: Projection = {
  tables: [eventsTable, contractLogTotalsTable],
  totals: [logTotals],

  wants({ transactions }, want) {
    for (const { events } of transactions) {
      for (const { source, asset } of events) if (source.kind === 'print') want(logTotals, asset, 0);
    }
  },

  apply({ height, transactions }, totals, _chain, rows) {
    const logs = totals.of(logTotals);
    const printed = new Set<number>();
    for (const { txPosition, events } of transactions) {
      for (const e of events) {
        rows.add(eventsTable, [height, e.index, e.asset, e.sender, e.recipient, txPosition, e.kind, e.amount, e.value]);
        if (e.source.kind === 'print') {
          loaded(logs, e.asset).total++;
          printed.add(e.asset);
        }
      }
    }
    for (const contract of printed) rows.add(contractLogTotalsTable, [contract, height, loaded(logs, contract).total]);
  },
};
