import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { CursorList } from '../pages/cursor-list-schema.ts';
import { chainCursor, readChainCursor } from '../transactions/chain-cursor-schema.ts';
import type { ChainCursor } from '../transactions/cursors-queries.ts';
import type { BalanceChangeRow } from './balance-changes-queries.ts';
import { BalanceChangeAmounts, renderAmounts } from './principal-transaction-schema.ts';

export const balanceChangeFields = {
  asset: Type.Union([
    Type.Object({ type: Type.Literal('stx') }),
    Type.Object({
      type: Type.Union([Type.Literal('ft'), Type.Literal('nft')]),
      identifier: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
    }),
  ]),
  balance_change: BalanceChangeAmounts,
};

const BalanceChange = Type.Object(balanceChangeFields, { title: 'BalanceChange' });
type BalanceChange = Static<typeof BalanceChange>;
export const BalanceChangeList = CursorList(BalanceChange, 'BalanceChangeList');

const TransactionBalanceChange = Type.Object(
  { tx_id: Type.String({ description: 'Id of the transaction.' }), ...balanceChangeFields },
  { title: 'TransactionBalanceChange' },
);
export const TransactionBalanceChangeList = CursorList(TransactionBalanceChange, 'TransactionBalanceChangeList');

export const assetPattern = '^[0-9]+:\\S+$';
export const changePattern = '^[0-9]+:[0-9]+:[0-9]+:[0-9]+:\\S+$';

type Key = { position: ChainCursor; type: number; identifier: string };

/** A row with its place in the order of lists. */
export type KeyedChange = BalanceChangeRow & Key;

/** Transactions the newest first, the assets of each by type and identifier. */
export const sortChanges = (rows: readonly BalanceChangeRow[]): KeyedChange[] =>
  rows.map(row => ({ ...row, ...keyOf(row) })).sort((a, b) => comparePositions(a, b) || compareAssets(a, b));

const keyOf = (row: BalanceChangeRow): Key => ({
  position: readChainCursor(chainCursor(row))!,
  type: row.asset_type,
  identifier: row.contract === null ? 'stx' : `${principalFromBytes(row.contract)}::${row.asset_name}`,
});

const comparePositions = ({ position: a }: Key, { position: b }: Key): number =>
  b.height - a.height || b.microblockSequence - a.microblockSequence || b.txIndex - a.txIndex;

type Asset = Omit<Key, 'position'>;

function compareAssets(a: Asset, b: Asset): number {
  if (a.type !== b.type) return a.type - b.type;
  return a.identifier === b.identifier ? 0 : a.identifier < b.identifier ? -1 : 1;
}

/** `asset_type:asset_identifier`. */
export const assetCursor = (row: KeyedChange): string => `${row.type}:${row.identifier}`;

/** The identifier has colons of its own. */
function readAssetCursor(text: string): Asset {
  const colon = text.indexOf(':');
  return { type: Number(text.slice(0, colon)), identifier: text.slice(colon + 1) };
}

/** Whether a row is at the cursor or past it. */
export function isAtAsset(cursor: string): (row: KeyedChange) => boolean {
  const asset = readAssetCursor(cursor);
  return row => compareAssets(row, asset) >= 0;
}

/** The position of the transaction, and the asset behind it. */
export const changeCursor = (row: KeyedChange): string => `${chainCursor(row)}:${assetCursor(row)}`;

export function isAtChange(cursor: string): (row: KeyedChange) => boolean {
  const parts = cursor.split(':');
  const position = readChainCursor(parts.slice(0, 3).join(':'))!;
  const key = { position, ...readAssetCursor(parts.slice(3).join(':')) };
  return row => (comparePositions(row, key) || compareAssets(row, key)) >= 0;
}

const types = { 2: 'ft', 3: 'nft' } as const;

export const renderBalanceChange = (row: KeyedChange): BalanceChange => ({
  asset: row.asset_type === 1 ? { type: 'stx' } : { type: types[row.asset_type as 2 | 3], identifier: row.identifier },
  balance_change: renderAmounts(BigInt(row.sent), BigInt(row.received)),
});

export const renderTransactionBalanceChange = (row: KeyedChange) => ({
  tx_id: toHex(row.tx_id),
  ...renderBalanceChange(row),
});
