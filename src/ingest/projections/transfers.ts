import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';
import { holding, total } from '../rows/running-totals.ts';
import { transferSides } from '../rows/transfer-sides.ts';

const transfersTable: Table = {
  name: 'transfers',
  columns: {
    principal: 'principal',
    asset: 'asset',
    height: 'int4',
    event_index: 'int4',
    seq: 'int4',
    place: 'int2',
  },
};

/** Events that credited or debited an account, by what they moved. */
export const transfers: Projection = {
  tables: [transfersTable],

  apply({ height, transactions }, ledger, _totals, rows) {
    for (const { events, place } of transactions) {
      for (const event of events) {
        for (const { principal, asset } of transferSides(event)) {
          const seq = ++total(ledger.transfers, holding(principal, asset)).total;
          rows.add(transfersTable, [principal, asset, height, event.index, seq, place]);
        }
      }
    }
  },
};
