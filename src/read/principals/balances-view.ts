import type { Reader } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { AsOf } from '../pages/as-of-queries.ts';
import { noBlockAsOf } from '../pages/page-errors.ts';
import { listFtBalances } from '../tokens/ft-balances-queries.ts';
import { listNftBalances } from '../tokens/nft-balances-queries.ts';
import { renderAddressBalance, renderStxBalance } from './balance-schema.ts';
import { findPendingStx } from './pending-stx-queries.ts';
import { findStxBalance } from './stx-balances-queries.ts';
import { renderTokenOffering } from './token-offering-schema.ts';
import { findVesting } from './vesting-queries.ts';

/** Whether the change by pending transactions is shown; only the current state has one. */
type PendingOption = { withPending: boolean };

/** The STX of a principal with its vesting schedule. */
export const findStx = (pool: Reader, principal: Uint8Array, asOf: AsOf, { withPending }: PendingOption) =>
  inSnapshot(pool, async sql => {
    const [stx, vesting, pending] = await Promise.all([
      findStxBalance(sql, principal, asOf),
      findVesting(sql, principal, asOf),
      withPending ? findPendingStx(sql, principal) : undefined,
    ]);
    if (!stx) throw noBlockAsOf(asOf);
    const body = { ...renderStxBalance(stx, pending), ...renderTokenOffering(vesting) };
    return { body, hasVesting: vesting !== undefined };
  });

/** The STX and the tokens of a principal with its vesting schedule. */
export const findBalances = (pool: Reader, principal: Uint8Array, asOf: AsOf, { withPending }: PendingOption) =>
  inSnapshot(pool, async sql => {
    const [stx, vesting, fts, nfts, pending] = await Promise.all([
      findStxBalance(sql, principal, asOf),
      findVesting(sql, principal, asOf),
      listFtBalances(sql, principal, asOf),
      listNftBalances(sql, principal, asOf),
      withPending ? findPendingStx(sql, principal) : undefined,
    ]);
    if (!stx) throw noBlockAsOf(asOf);
    const body = { ...renderAddressBalance(stx, fts, nfts, pending), ...renderTokenOffering(vesting) };
    return { body, hasVesting: vesting !== undefined };
  });
