import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';
import { total } from '../rows/running-totals.ts';

export const eventsTable: Table = {
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

export const contractLogTotalsTable: Table = {
  name: 'contract_log_totals',
  columns: { contract: 'principal', height: 'int4', total: 'int4' },
};

/** All events of successful transactions, and how often each contract has printed. */
export const events: Projection = {
  tables: [eventsTable, contractLogTotalsTable],

  apply({ height, transactions }, ledger, _totals, rows) {
    const printed = new Set<number>();
    for (const { place, events } of transactions) {
      for (const e of events) {
        rows.add(eventsTable, [height, e.index, e.asset, e.sender, e.recipient, place, e.kind, e.amount, e.value]);
        if (e.source.kind === 'print') {
          total(ledger.logs, e.asset).total++;
          printed.add(e.asset);
        }
      }
    }
    for (const contract of printed)
      rows.add(contractLogTotalsTable, [contract, height, total(ledger.logs, contract).total]);
  },
};
