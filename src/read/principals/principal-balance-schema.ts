import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { lockVersion } from '../../chain/pox/stx-lock.ts';
import { ClarityText } from '../contracts/clarity-schema.ts';
import { assetMetadata } from '../metadata/asset-schema.ts';
import { CursorList } from '../pages/cursor-list-schema.ts';
import type { FtBalanceRow } from '../tokens/ft-balances-queries.ts';
import type { NftCursor, NftPositionRow } from '../tokens/nft-positions-queries.ts';
import { assetIdOf, lockedAmount } from './balance-schema.ts';
import type { PendingStx } from './pending-stx-queries.ts';
import type { StxBalanceRow } from './stx-balances-queries.ts';

const StxLock = Type.Object(
  {
    amount: Type.String({ description: 'Locked micro-STX.' }),
    pox_version: Type.Integer({ description: 'Version of the PoX contract that holds the lock.' }),
    lock_tx_id: Type.String({ description: 'Id of the transaction that locked the STX.' }),
    stacks_lock_height: Type.Integer({ description: 'Height of the block of the lock transaction.' }),
    burn_lock_height: Type.Integer({ description: 'Height of the burn block of the lock transaction.' }),
    burn_unlock_height: Type.Integer({ description: 'Height of the burn block at which the lock ends.' }),
  },
  { title: 'StxLock' },
);

const PendingBalance = Type.Object(
  {
    estimated_balance: Type.String({ description: 'Available balance after all pending transactions, in micro-STX.' }),
    inbound: Type.String({ description: 'Sum of pending transfers to the principal, in micro-STX.' }),
    outbound: Type.String({ description: 'Sum of pending transfers and fees of the principal, in micro-STX.' }),
  },
  { title: 'PendingStxBalance' },
);

export const PrincipalStxBalance = Type.Object(
  {
    balance: Type.String({ description: 'Balance in micro-STX, including locked STX.' }),
    available: Type.String({ description: 'Balance without locked STX, in micro-STX.' }),
    locked: Type.Union([StxLock, Type.Null()], { description: 'Null if nothing is locked.' }),
    mempool: Type.Union([PendingBalance, Type.Null()], {
      description: 'Effect of pending transactions; null if nothing is pending.',
    }),
  },
  { title: 'PrincipalStxBalance' },
);
export type PrincipalStxBalance = Static<typeof PrincipalStxBalance>;

export const FtPosition = Type.Object(
  {
    asset_identifier: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
    balance: Type.String({ description: 'Balance in the smallest unit of the token.' }),
    ...assetMetadata,
  },
  { title: 'PrincipalFtPosition' },
);
export type FtPosition = Static<typeof FtPosition>;
export const FtPositionList = CursorList(FtPosition, 'PrincipalFtPositionList');

const NftPosition = Type.Object(
  {
    asset_identifier: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
    value: ClarityText,
    ...assetMetadata,
  },
  { title: 'PrincipalNftPosition' },
);
export const NftPositionList = CursorList(NftPosition, 'PrincipalNftPositionList');

export function renderStxPosition(row: StxBalanceRow, { inbound, outbound }: PendingStx): PrincipalStxBalance {
  const locked = renderLock(row);
  const available = BigInt(row.balance) - BigInt(locked?.amount ?? 0);
  const pending = inbound > 0n || outbound > 0n;
  return {
    balance: row.balance,
    available: String(available),
    locked,
    mempool: pending
      ? {
          estimated_balance: String(available + inbound - outbound),
          inbound: String(inbound),
          outbound: String(outbound),
        }
      : null,
  };
}

function renderLock(row: StxBalanceRow): Static<typeof StxLock> | null {
  const amount = lockedAmount(row);
  if (amount === '0' || row.lock_contract === null || row.lock_tx_id === null) return null;
  return {
    amount,
    pox_version: lockVersion(principalFromBytes(row.lock_contract)),
    lock_tx_id: toHex(row.lock_tx_id),
    stacks_lock_height: row.lock_height ?? 0,
    burn_lock_height: row.lock_burn_height ?? 0,
    burn_unlock_height: row.unlock_height ?? 0,
  };
}

export const ftPattern = '^\\d+:.+$';

/** What is left of each token, the largest first. */
export const renderFtPositions = (rows: readonly FtBalanceRow[]): FtPosition[] =>
  rows
    .filter(row => BigInt(row.balance) > 0n)
    .map(row => ({ asset_identifier: assetIdOf(row), balance: row.balance }))
    .sort((a, b) => compareFts(keyOf(a), keyOf(b)));

type FtKey = { balance: bigint; identifier: string };

const keyOf = (position: FtPosition): FtKey => ({
  balance: BigInt(position.balance),
  identifier: position.asset_identifier,
});

function compareFts(a: FtKey, b: FtKey): number {
  if (a.balance !== b.balance) return a.balance < b.balance ? 1 : -1;
  return a.identifier === b.identifier ? 0 : a.identifier < b.identifier ? -1 : 1;
}

/** `balance:asset_identifier`. */
export const ftCursor = ({ balance, asset_identifier }: FtPosition): string => `${balance}:${asset_identifier}`;

/** Whether a position is at the cursor or past it. */
export function isAtFt(cursor: string): (position: FtPosition) => boolean {
  const colon = cursor.indexOf(':');
  // May be a number of thousands of digits: it is read once.
  const named = { balance: BigInt(cursor.slice(0, colon)), identifier: cursor.slice(colon + 1) };
  return position => compareFts(keyOf(position), named) >= 0;
}

export const nftPattern = '^0x[0-9a-fA-F]*:.+$';

/** `value_hex:asset_identifier`. */
export const nftCursor = (row: NftPositionRow): string => `${toHex(row.value)}:${assetIdOf(row)}`;

export function readNftCursor(text: string | undefined): NftCursor | undefined {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  return { value: Buffer.from(text.slice(2, colon), 'hex'), identifier: text.slice(colon + 1) };
}

export const renderNftPosition = (row: NftPositionRow) => ({
  asset_identifier: assetIdOf(row),
  value: clarityJson(row.value),
});
