import type { Sql } from '../../db/client.ts';
import type { AsOf } from '../pages/as-of.ts';
import { touchedAssets } from '../principals/touched-assets.ts';

/** How many of one class of NFTs an account has. */
export type NftBalanceRow = { asset: number; contract: Buffer; name: string; sent: number; received: number };

/** Every class the account ever touched up to a moment, those it has none of any more included. */
export async function listNftBalances(sql: Sql, principal: Uint8Array, moment: AsOf): Promise<NftBalanceRow[]> {
  return await sql<NftBalanceRow[]>`${touchedAssets(sql, 'nft_balances', principal, moment)}`;
}
