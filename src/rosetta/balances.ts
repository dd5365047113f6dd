import type { StxBalanceRow } from '../queries/principals/stx-balances.ts';
import { lockedAmount } from '../schemas/principals/balance.ts';

/** What of an account is locked: the node's own rule, or that of the incumbent, one burn block longer. */
export const lockedOf = (row: StxBalanceRow, compat: boolean): bigint =>
  BigInt(lockedAmount(row, compat ? 'public' : 'node'));

/** What an account can spend. */
export const spendableOf = (row: StxBalanceRow, compat: boolean): bigint => BigInt(row.balance) - lockedOf(row, compat);
