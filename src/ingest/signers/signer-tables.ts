import type { Table } from '../../db/table.ts';

export const proposalsTable: Table = {
  name: 'signer_proposals',
  columns: {
    received: 'int8',
    time: 'int8',
    cycle: 'int4',
    height: 'int4',
    burn_height: 'int4',
    hash: 'bytea',
    index_hash: 'bytea',
  },
};

export const responsesTable: Table = {
  name: 'signer_responses',
  columns: {
    received: 'int8',
    signature: 'int8',
    version: 'int8',
    reason: 'int8',
    slot: 'int2',
    parity: 'int2',
    code: 'int2',
    detail: 'int2',
    validation: 'int2',
    accepted: 'bool',
    hash: 'bytea',
  },
};

export const pushesTable: Table = { name: 'signer_pushes', columns: { received: 'int8', hash: 'bytea' } };

export const textsTable: Table = { name: 'signer_texts', columns: { id: 'int8', text: 'text' } };
