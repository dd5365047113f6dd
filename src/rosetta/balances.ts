import { lockedAmount } from '../read/principals/balance-schema.ts';
import type { StxBalanceRow } from '../read/principals/stx-balances-queries.ts';

/** The locked amount of an account: by the rule of the node, or by that of the incumbent, one burn block longer. */
export const lockedOf = (row: StxBalanceRow, compat: boolean): bigint =>
  BigInt(lockedAmount(row, compat ? 'public' : 'node'));

/** The spendable amount of an account. */
export const spendableOf = (row: StxBalanceRow, compat: boolean): bigint => BigInt(row.balance) - lockedOf(row, compat);
