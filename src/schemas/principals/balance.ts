import { type Static, Type } from 'typebox';
import { isLockedAt, type LockRule } from '../../chain/pox/stx-lock.ts';
import { principalFromBytes } from '../../codec/address/principal.ts';
import { toHex } from '../../codec/hex.ts';
import type { PendingStx } from '../../queries/principals/pending-stx.ts';
import type { StxBalanceRow } from '../../queries/principals/stx-balances.ts';
import type { FtBalanceRow } from '../../queries/tokens/ft-balances.ts';
import type { NftBalanceRow } from '../../queries/tokens/nft-balances.ts';

const amount = (description: string) => Type.String({ description });
const height = (description: string) => Type.Integer({ description });

const held = {
  balance: amount('Received and mined, less sent and fees; what is locked is part of it.'),
  total_miner_rewards_received: amount('Matured rewards.'),
  lock_tx_id: Type.String({ description: 'Transaction that locked; empty when nothing is locked.' }),
  locked: amount('Locked part of the balance.'),
  lock_height: height('Block of the lock.'),
  burnchain_lock_height: height('Burn block of the lock; of the tip in v2.'),
  burnchain_unlock_height: height('Burn block at which the lock ends.'),
};

const pending = {
  estimated_balance: Type.Optional(amount('The balance once what is pending has happened.')),
  pending_balance_inbound: Type.Optional(amount('Pending transfers to the account.')),
  pending_balance_outbound: Type.Optional(amount('Pending transfers and fees of the account.')),
};

const moved = {
  total_sent: amount('Transferred away or burnt, fees apart.'),
  total_received: amount('Transferred to the account or minted for it.'),
  total_fees_sent: amount('Fees paid, as sender or sponsor.'),
};

export const TokenOffering = Type.Object(
  {
    total_locked: Type.String(),
    total_unlocked: Type.String(),
    unlock_schedule: Type.Array(Type.Object({ amount: Type.String(), block_height: Type.Integer() })),
  },
  { title: 'TokenOffering', description: 'Vesting of the genesis block.' },
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

const FtBalance = Type.Object({ balance: Type.String(), total_sent: Type.String(), total_received: Type.String() });
const NftBalance = Type.Object({ count: Type.String(), total_sent: Type.String(), total_received: Type.String() });

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

export const renderAddressBalance = (
  stx: StxBalanceRow,
  tokens: FtBalanceRow[],
  nfts: NftBalanceRow[],
  expected?: PendingStx,
): AddressBalance => ({
  stx: renderStxBalance(stx, expected),
  fungible_tokens: byAsset(tokens, row => ({
    balance: row.balance,
    total_sent: row.sent,
    total_received: row.received,
  })),
  non_fungible_tokens: byAsset(nfts, row => ({
    count: String(row.received - row.sent),
    total_sent: String(row.sent),
    total_received: String(row.received),
  })),
});

function byAsset<R extends { contract: Buffer; name: string }, T>(rows: R[], render: (row: R) => T): Record<string, T> {
  const entries = rows.map((row): [string, T] => [assetIdOf(row), render(row)]);
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
