import type { Reader } from '../../db/client.ts';
import type { AsOf } from '../pages/as-of-queries.ts';
import { noBlockAsOf } from '../pages/page-errors.ts';
import { renderAddressBalance, renderStxBalance } from './balance-schema.ts';
import { findHoldings } from './holdings-queries.ts';
import { renderTokenOffering } from './token-offering-schema.ts';

/** Whether the change by pending transactions is shown; only the current state has one. */
type PendingOption = { withPending: boolean };

/** The STX of a principal with its vesting schedule. */
export async function findStx(sql: Reader, principal: Uint8Array, asOf: AsOf, { withPending }: PendingOption) {
  const found = await findHoldings(sql, principal, asOf, { withPending, withTokens: false });
  if (!found) throw noBlockAsOf(asOf);
  const body = { ...renderStxBalance(found.stx, found.pending), ...renderTokenOffering(found.vesting) };
  return { body, hasVesting: found.vesting !== undefined };
}

/** The STX and the tokens of a principal with its vesting schedule. */
export async function findBalances(sql: Reader, principal: Uint8Array, asOf: AsOf, { withPending }: PendingOption) {
  const found = await findHoldings(sql, principal, asOf, { withPending, withTokens: true });
  if (!found) throw noBlockAsOf(asOf);
  const body = { ...renderAddressBalance(found), ...renderTokenOffering(found.vesting) };
  return { body, hasVesting: found.vesting !== undefined };
}
