import type { Sql } from '../../db/client.ts';
import type { AsOf } from '../pages/as-of-queries.ts';
import { touchedAssets } from '../principals/touched-assets-queries.ts';

/** How many of one class of NFTs an account has. */
export type NftBalanceRow = { asset: number; contract: Buffer; name: string; sent: number; received: number };

/** Every class the principal ever touched as of a block, those it has none of any more included. */
export async function listNftBalances(sql: Sql, principal: Uint8Array, asOf: AsOf): Promise<NftBalanceRow[]> {
  return await sql<NftBalanceRow[]>`${touchedAssets(sql, 'nft_balances', principal, asOf)}`;
}
