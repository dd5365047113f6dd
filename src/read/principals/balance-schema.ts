import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { isLockedAt, type LockRule } from '../../chain/pox/stx-lock.ts';
import { assetMetadata } from '../metadata/asset-schema.ts';
import type { Holdings, TokenTotals } from './holdings-queries.ts';
import type { PendingStx } from './pending-stx-queries.ts';
import type { StxBalanceRow } from './stx-balances-queries.ts';

const amount = (description: string) => Type.String({ description });
const height = (description: string) => Type.Integer({ description });

const held = {
  balance: amount('Balance in micro-STX, including locked STX.'),
  total_miner_rewards_received: amount('Sum of all matured mining rewards, in micro-STX.'),
  lock_tx_id: Type.String({ description: 'Id of the transaction that locked the STX; empty if nothing is locked.' }),
  locked: amount('Locked part of the balance, in micro-STX.'),
  lock_height: height('Height of the block that holds the lock transaction; 0 if nothing is locked.'),
  burnchain_lock_height: height('Height of the burn block of the lock, or of the tip in v2; 0 if nothing is locked.'),
  burnchain_unlock_height: height('Height of the burn block at which the lock ends; 0 if nothing is locked.'),
};

const pending = {
  estimated_balance: Type.Optional(amount('Balance after all pending transactions, in micro-STX.')),
  pending_balance_inbound: Type.Optional(amount('Sum of pending transfers to the account, in micro-STX.')),
  pending_balance_outbound: Type.Optional(amount('Sum of pending transfers and fees of the account, in micro-STX.')),
};

const moved = {
  total_sent: amount('Sum of transfers from the account and burns, without fees, in micro-STX.'),
  total_received: amount('Sum of transfers to the account and mints, in micro-STX.'),
  total_fees_sent: amount('Sum of fees that the account paid as sender or sponsor, in micro-STX.'),
};

export const TokenOffering = Type.Object(
  {
    total_locked: Type.String({ description: 'Micro-STX that are not vested yet.' }),
    total_unlocked: Type.String({ description: 'Micro-STX that are vested.' }),
    unlock_schedule: Type.Array(
      Type.Object({
        amount: Type.String({ description: 'Amount in micro-STX.' }),
        block_height: Type.Integer({ description: 'Height at which the amount is unlocked.' }),
      }),
    ),
  },
  { title: 'TokenOffering', description: 'Vesting schedule of the genesis block. Absent for accounts without one.' },
);

/** The STX of an account in micro-STX. */
export const StxBalance = Type.Object(
  { ...held, ...pending, ...moved, token_offering_locked: Type.Optional(TokenOffering) },
  { title: 'StxBalance' },
);
export type StxBalance = Static<typeof StxBalance>;

/** The shorter form of the second version. */
export const StxHolding = Type.Object({ ...held, ...pending }, { title: 'StxHolding' });
export type StxHolding = Static<typeof StxHolding>;

const FtBalance = Type.Object({
  balance: Type.String({ description: 'Balance in the smallest unit of the token.' }),
  total_sent: Type.String({ description: 'Total that the account sent or burned.' }),
  total_received: Type.String({ description: 'Total that the account received.' }),
  ...assetMetadata,
});
const NftBalance = Type.Object({
  count: Type.String({ description: 'Number of NFTs of this class that the account owns.' }),
  total_sent: Type.String({ description: 'Total that the account sent or burned.' }),
  total_received: Type.String({ description: 'Total that the account received.' }),
});

export const AddressBalance = Type.Object(
  {
    stx: StxBalance,
    fungible_tokens: Type.Record(Type.String(), FtBalance),
    non_fungible_tokens: Type.Record(Type.String(), NftBalance),
    token_offering_locked: Type.Optional(TokenOffering),
  },
  { title: 'AddressBalance' },
);
export type AddressBalance = Static<typeof AddressBalance>;

export function renderStxHolding(row: StxBalanceRow, expected?: PendingStx): StxHolding {
  return {
    balance: row.balance,
    total_miner_rewards_received: row.rewards,
    ...renderLock(row),
    ...(expected && {
      estimated_balance: String(BigInt(row.balance) + expected.inbound - expected.outbound),
      pending_balance_inbound: String(expected.inbound),
      pending_balance_outbound: String(expected.outbound),
    }),
  };
}

export const renderStxBalance = (row: StxBalanceRow, expected?: PendingStx): StxBalance => ({
  ...renderStxHolding(row, expected),
  total_sent: row.sent,
  total_received: row.received,
  total_fees_sent: row.fees,
});

export const renderAddressBalance = ({ stx, pending, fungible, nonFungible }: Holdings): AddressBalance => ({
  stx: renderStxBalance(stx, pending),
  fungible_tokens: byAsset(fungible, (sent, received) => ({
    balance: String(BigInt(received) - BigInt(sent)),
    total_sent: sent,
    total_received: received,
  })),
  non_fungible_tokens: byAsset(nonFungible, (sent, received) => ({
    count: String(BigInt(received) - BigInt(sent)),
    total_sent: sent,
    total_received: received,
  })),
});

function byAsset<T>(tokens: readonly TokenTotals[], render: (sent: string, received: string) => T): Record<string, T> {
  const entries = tokens.map(([contract, name, sent, received]): [string, T] => [
    `${principalFromBytes(fromHex(contract))}::${name}`,
    render(sent, received),
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b)));
}

/** `S….contract::asset` of a row that has both parts. */
export const assetIdOf = (row: { contract: Buffer; name: string }) =>
  `${principalFromBytes(row.contract)}::${row.name}`;

const unlocked = { lock_tx_id: '', locked: '0', lock_height: 0, burnchain_lock_height: 0, burnchain_unlock_height: 0 };

/** What of the balance is locked, by the rule of the public API or by that of the node. */
export function lockedAmount(row: StxBalanceRow, rule?: LockRule): string {
  const { lock_amount, lock_contract, unlock_height } = row;
  if (lock_amount === null || lock_contract === null) return '0';
  const lock = { contract: principalFromBytes(lock_contract), unlockHeight: unlock_height ?? 0 };
  return isLockedAt(lock, row.burn_height ?? 0, row.unlock_heights ?? [], rule) ? lock_amount : '0';
}

function renderLock(row: StxBalanceRow) {
  const locked = lockedAmount(row);
  if (locked === '0' || row.lock_tx_id === null) return unlocked;
  return {
    lock_tx_id: toHex(row.lock_tx_id),
    locked,
    lock_height: row.lock_height ?? 0,
    burnchain_lock_height: row.lock_burn_height ?? 0,
    burnchain_unlock_height: row.unlock_height ?? 0,
  };
}
