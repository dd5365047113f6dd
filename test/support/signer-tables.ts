import type { Table } from '../../src/db/table.ts';
import { proposalsTable, pushesTable, responsesTable, textsTable } from '../../src/ingest/signers/signer-tables.ts';

const hoursTable: Table = {
  name: 'signer_hours',
  columns: { cycle: 'int4', hour: 'int4', proposals: 'int4', blocks: 'int4', stale: 'bool', pruned: 'bool' },
};

const totalsTable: Table = {
  name: 'signer_totals',
  columns: {
    response_ms: 'int8',
    last_received: 'int8',
    last_version: 'int8',
    cycle: 'int4',
    hour: 'int4',
    accepted: 'int4',
    rejected: 'int4',
    answered: 'int4',
    slot: 'int2',
  },
};

/** Tables that the messages of signers and the canonical chain determine, in whatever order they came. */
export const signerTables: readonly Table[] = [
  proposalsTable,
  responsesTable,
  pushesTable,
  textsTable,
  hoursTable,
  totalsTable,
];
