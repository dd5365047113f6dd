import type { Table } from '../db/table.ts';

/** The channel that carries the sequence number of the newest journal row. */
export const journalChannel = 'cairn_journal';

export const journalTable: Table = {
  name: 'journal',
  columns: {
    seq: 'int8',
    event_id: 'int8',
    height: 'int4',
    kind: 'int2',
    index_hash: 'bytea',
    block_events: 'int8',
  },
};
