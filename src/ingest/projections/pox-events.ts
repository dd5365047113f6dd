import { poxVersion } from '../../chain/pox/contract.ts';
import { type PoxPrint, packPoxAddress, poxCalls, readPoxPrint } from '../../chain/pox/print.ts';
import { columnOf, uintOf } from '../../chain/print-fields.ts';
import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';

const poxEventsTable: Table = {
  name: 'pox_events',
  columns: {
    height: 'int4',
    event_index: 'int4',
    stacker: 'principal',
    pool: 'principal',
    first_cycle: 'int4',
    end_cycle: 'int4',
    place: 'int2',
    version: 'int2',
    call: 'int2',
    amount: 'numeric',
    until: 'numeric',
    address: 'bytea',
    signer_key: 'bytea',
  },
};

const none = new Uint8Array(0);

/** Calls of pox-2, pox-3 and pox-4, with the columns that lists filter by; the rest of a print stays with its event. */
export const poxEvents: Projection = {
  tables: [poxEventsTable],

  apply({ height, transactions, names }, _totals, _chain, rows) {
    for (const { events, txPosition } of transactions) {
      for (const { source, index } of events) {
        if (source.kind !== 'print') continue;
        const version = poxVersion(source.contract);
        if (version === 0 || version === 5) continue;
        const print = readPoxPrint(source.value);
        if (!print) continue;
        rows.add(poxEventsTable, [
          height,
          index,
          names.principal(print.stacker),
          print.pool === undefined ? 0 : names.principal(print.pool),
          columnOf(print.firstCycle),
          columnOf(print.endCycle),
          txPosition,
          version,
          poxCalls[print.name],
          print.amount ?? print.locked,
          untilOf(print),
          packPoxAddress(print.address),
          print.signerKey ?? none,
        ]);
      }
    }
  },
};

const untilOf = ({ name, data }: PoxPrint) =>
  name === 'delegate-stx' ? (uintOf(data.get('unlock-burn-height')) ?? null) : null;
