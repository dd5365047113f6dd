import type { Table } from '../db/table.ts';

/** What a step of the fold was. Never renumber. */
export const journalKinds = { apply: 1, rollback: 2, mempool: 3, microblock: 4, burnBlock: 5, names: 6 } as const;

/** The channel that carries the sequence number of the newest journal row. */
export const journalChannel = 'cairn_journal';

export const journalTable: Table = {
  name: 'journal',
  columns: { seq: 'int8', event_id: 'int8', height: 'int4', kind: 'int2', index_hash: 'bytea' },
};
