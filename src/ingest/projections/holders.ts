import type { Table } from '../../db/table.ts';
import type { HistoryTable } from '../rows/history-table.ts';
import { integerKey, type RunningTotal } from '../rows/running-total.ts';

/** Asset key of STX in the tables of holders and totals. */
export const stxAsset = 0;

export const holdersTable: Table = {
  name: 'holders',
  columns: { asset: 'asset', principal: 'principal', balance: 'numeric' },
};

/** The block in which a principal first appears among the holders of an asset. Shared as `assetTotalsTable` is. */
export const assetHoldersTable: Table = {
  name: 'asset_holders',
  columns: { asset: 'asset', height: 'int4', principal: 'principal' },
};

/** Shared by STX, fungible tokens and NFTs: an asset is one of them. */
export const assetTotalsTable: HistoryTable = {
  name: 'asset_totals',
  columns: { asset: 'asset', height: 'int4', holders: 'int4', mints: 'int4', supply: 'numeric', funded: 'int4' },
  key: ['asset'],
  order: ['height'],
};

/** `holders` are all principals that ever had a row (of NFTs, those that hold some), `funded` those with a balance above zero. */
export type AssetTotals = { holders: number; mints: number; supply: bigint; funded: number };

export const assetTotals: RunningTotal<number, AssetTotals> = {
  history: assetTotalsTable,
  values: ['holders', 'mints', 'supply', 'funded'],
  ...integerKey('asset'),
  initial: () => ({ holders: 0, mints: 0, supply: 0n, funded: 0 }),
  read: ({ holders, mints, supply, funded }) => ({ holders, mints, supply: BigInt(supply), funded }),
};

/** How the number of holders with a balance above zero changes with one balance. */
export const fundedChange = (before: bigint | undefined, after: bigint): number =>
  Number(after > 0n) - Number((before ?? 0n) > 0n);
