import type { StxBalanceRow } from '../queries/principals/stx-balances.ts';
import { lockedAmount } from '../schemas/principals/balance.ts';

/** The locked amount of an account: by the rule of the node, or by that of the incumbent, one burn block longer. */
export const lockedOf = (row: StxBalanceRow, compat: boolean): bigint =>
  BigInt(lockedAmount(row, compat ? 'public' : 'node'));

/** The spendable amount of an account. */
export const spendableOf = (row: StxBalanceRow, compat: boolean): bigint => BigInt(row.balance) - lockedOf(row, compat);
