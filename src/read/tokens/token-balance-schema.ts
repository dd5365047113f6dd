import { type Static, Type } from 'typebox';
import { assetMetadata } from '../metadata/asset-schema.ts';
import { WalkedPage } from '../pages/page-schema.ts';
import { assetIdOf } from '../principals/balance-schema.ts';
import type { FtBalanceRow } from './ft-balances-queries.ts';

const TokenBalance = Type.Object(
  {
    token: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
    balance: Type.String({ description: 'Balance in the smallest unit of the token.' }),
    ...assetMetadata,
  },
  { title: 'TokenBalance' },
);
export const TokenBalancePage = WalkedPage(TokenBalance, 'TokenBalancePage');
export type TokenBalancePage = Static<typeof TokenBalancePage>;

export const OneBalance = Type.Object(
  { balance: Type.String({ description: 'Balance in the smallest unit: micro-STX for STX.' }) },
  { title: 'Balance' },
);

/** What is left of each token, by identifier; an empty page has total 0, as the incumbent has. */
export function renderTokenBalances(
  rows: FtBalanceRow[],
  { limit, offset }: { limit: number; offset: number },
): TokenBalancePage {
  const held = rows
    .filter(row => BigInt(row.balance) > 0n)
    .map(row => ({ token: assetIdOf(row), balance: row.balance }))
    .sort((a, b) => (a.token.toLowerCase() < b.token.toLowerCase() ? -1 : 1));
  const results = held.slice(offset, offset + limit);
  return { limit, offset, total: results.length === 0 ? 0 : held.length, results };
}
