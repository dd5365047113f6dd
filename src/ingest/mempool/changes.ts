import type { Table } from '../../db/table.ts';

/** The transactions that a step of the fold changed in the mempool, by the number of its journal row. */
export const mempoolNewsTable: Table = { name: 'mempool_news', columns: { seq: 'int8', tx_ids: 'bytea' } };
