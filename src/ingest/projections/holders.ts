import type { Table } from '../../db/table.ts';

/** Asset key of STX in the table of holders. */
export const stxAsset = 0;

export const holdersTable: Table = {
  name: 'holders',
  columns: { asset: 'asset', principal: 'principal', balance: 'numeric' },
};
