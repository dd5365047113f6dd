import { asShortHolding } from '../../compat/stx-holding.ts';
import type { Pool, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { AsOf } from '../pages/as-of-queries.ts';
import { cutList, renderKeyedPage, startOf } from '../pages/cursor-list-schema.ts';
import { noBlockAsOf } from '../pages/page-errors.ts';
import { findFtBalance, listFtBalances } from '../tokens/ft-balances-queries.ts';
import { listNftBalances } from '../tokens/nft-balances-queries.ts';
import { listNftPositions } from '../tokens/nft-positions-queries.ts';
import { renderTokenBalances } from '../tokens/token-balance-schema.ts';
import { renderAddressBalance, renderStxBalance, renderStxHolding } from './balance-schema.ts';
import { findPendingStx } from './pending-stx-queries.ts';
import {
  ftCursor,
  isAtFt,
  nftCursor,
  renderFtPositions,
  renderNftPosition,
  renderStxPosition,
} from './principal-balance-schema.ts';
import { findStxBalance, findStxPosition } from './stx-balances-queries.ts';
import { renderTokenOffering } from './token-offering-schema.ts';
import { findVesting } from './vesting-queries.ts';

type Asset = { contract: Uint8Array; name: string };

/** Whether the change by pending transactions is shown; only the current state has one. */
type PendingOption = { withPending: boolean };

/** The STX of a principal with its vesting schedule. */
export const findStx = (pool: Pool, principal: Uint8Array, asOf: AsOf, { withPending }: PendingOption) =>
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
export const findBalances = (pool: Pool, principal: Uint8Array, asOf: AsOf, { withPending }: PendingOption) =>
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

/** The STX of a principal in the shorter shape of the second version. */
export async function findStxHolding(sql: Sql, principal: Uint8Array, { withPending }: PendingOption) {
  const position = withPending ? await findStxPosition(sql, principal) : undefined;
  const stx = position ?? (await findStxBalance(sql, principal, 'tip'));
  if (!stx) throw noBlockAsOf('tip');
  return renderStxHolding(asShortHolding(stx), position?.pending);
}

/** The fungible tokens of a principal. */
export const listFts = async (sql: Sql, principal: Uint8Array, page: { limit: number; offset: number }) =>
  renderTokenBalances(await listFtBalances(sql, principal, 'tip'), page);

/** The balance of a principal in STX or in a fungible token; 0 where there is no such token. */
export async function findBalanceOf(sql: Sql, principal: Uint8Array, token: 'stx' | Asset | undefined) {
  if (token === 'stx') return (await findStxBalance(sql, principal, 'tip'))?.balance ?? '0';
  return (token && (await findFtBalance(sql, principal, token))) ?? '0';
}

/** The STX of a principal, its lock, and the change by pending transactions. */
export async function findPrincipalStx(sql: Sql, principal: Uint8Array) {
  const row = await findStxPosition(sql, principal);
  if (!row) throw noBlockAsOf('tip');
  return renderStxPosition(row, row.pending);
}

/** The fungible tokens of a principal, the largest balance first. */
export async function listFtsByBalance(
  sql: Sql,
  principal: Uint8Array,
  { limit, cursor }: { limit: number; cursor: string | undefined },
) {
  const rows = renderFtPositions(await listFtBalances(sql, principal, 'tip'));
  const start = startOf(rows, cursor, isAtFt);
  return cutList(rows, { start, limit }, { cursorOf: ftCursor, render: row => row });
}

type NftPage = Parameters<typeof listNftPositions>[2];

/** The NFTs of a principal, by identifier and value. */
export async function listNfts(sql: Pool, principal: Uint8Array, page: NftPage) {
  const found = await listNftPositions(sql, principal, page);
  return renderKeyedPage(found, page.limit, { cursorOf: nftCursor, render: renderNftPosition });
}
