import { namedState } from '../../cache/tip-queries.ts';
import type { Sql } from '../../db/client.ts';
import type { AsOf } from '../pages/as-of-queries.ts';
import { type PendingStx, type PendingStxRow, pendingStx, readPendingStx } from './pending-stx-queries.ts';
import { type StxBalanceRow, stxBalances } from './stx-balances-queries.ts';
import { touchedAssets } from './touched-assets-queries.ts';
import { type VestingRow, vesting } from './vesting-queries.ts';

/** What an account has of one asset: its contract as a compact principal, its name, and the totals sent and received. */
export type TokenTotals = [contract: string, name: string, sent: string, received: string];

/** What an account has as of a block; tokens only where they were requested. */
export type Holdings = {
  stx: StxBalanceRow;
  vesting: VestingRow | undefined;
  pending: PendingStx | undefined;
  fungible: readonly TokenTotals[];
  nonFungible: readonly TokenTotals[];
};

type HoldingsRow = StxBalanceRow & {
  vesting: VestingRow | null;
  pending: PendingStxRow | null;
  fungible: TokenTotals[] | null;
  non_fungible: TokenTotals[] | null;
};

/** The STX of an account, and on request all its tokens, by one statement; undefined when no block has that height or hash. */
export async function findHoldings(
  sql: Sql,
  principal: Uint8Array,
  asOf: AsOf,
  { withPending, withTokens }: { withPending: boolean; withTokens: boolean },
): Promise<Holdings | undefined> {
  const account = sql`select b.account as id, b.height`;
  const tokens = (table: 'ft_balances' | 'nft_balances') => sql`(
    select json_agg(array[encode(t.contract, 'hex'), t.name, t.sent::text, t.received::text])
    from (${touchedAssets(sql, table, principal, asOf, account)}) t
  )`;
  const [row] = await sql<HoldingsRow[]>`
    select
      b.*,
      (select row_to_json(v) from (${vesting(sql)}) v) as vesting,
      ${withPending ? sql`(select row_to_json(p) from (${pendingStx(sql)}) p)` : sql`null`} as pending,
      ${withTokens ? tokens('ft_balances') : sql`null`} as fungible,
      ${withTokens ? tokens('nft_balances') : sql`null`} as non_fungible,
      ${namedState(sql)}
    from (${stxBalances(sql, [principal], asOf)}) b
  `;
  if (!row) return undefined;
  return {
    stx: row,
    vesting: row.vesting ?? undefined,
    pending: row.pending ? readPendingStx(row.pending) : undefined,
    fungible: row.fungible ?? [],
    nonFungible: row.non_fungible ?? [],
  };
}
