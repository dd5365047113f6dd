import type { Table } from '../../db/table.ts';

/** Asset key of STX in the tables of holders and totals. */
export const stxAsset = 0;

export const holdersTable: Table = {
  name: 'holders',
  columns: { asset: 'asset', principal: 'principal', balance: 'numeric' },
};

/** Shared by STX, fungible tokens and NFTs: an asset is one of them. */
export const assetTotalsTable: Table = {
  name: 'asset_totals',
  columns: { asset: 'asset', height: 'int4', holders: 'int4', mints: 'int4', supply: 'numeric', funded: 'int4' },
};

/** By how much the number of those with more than nothing changes with one balance. */
export const fundedChange = (before: bigint | undefined, after: bigint): number =>
  Number(after > 0n) - Number((before ?? 0n) > 0n);
