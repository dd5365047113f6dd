import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../server.ts';
import { addressAssetRoutes } from './address/assets.ts';
import { addressBalanceRoutes } from './address/balances.ts';
import { addressNonceRoutes } from './address/nonces.ts';
import { addressTransactionRoutes } from './address/transactions.ts';
import { addressesBalanceRoutes } from './addresses/balances.ts';
import { addressesTransactionRoutes } from './addresses/transactions.ts';
import { feeRateRoutes } from './fee-rate.ts';
import { networkTimeRoutes } from './network-times.ts';
import { searchRoutes } from './search.ts';
import { stxSupplyRoutes } from './stx-supply.ts';
import { holderRoutes } from './tokens/holders.ts';
import { nftRoutes } from './tokens/nfts.ts';

/** Everything about accounts, what they have, and how much there is of it. */
export async function principalRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  for (const routes of [
    addressAssetRoutes,
    addressBalanceRoutes,
    addressNonceRoutes,
    addressTransactionRoutes,
    addressesBalanceRoutes,
    addressesTransactionRoutes,
    feeRateRoutes,
    networkTimeRoutes,
    searchRoutes,
    stxSupplyRoutes,
    holderRoutes,
    nftRoutes,
  ]) {
    await app.register(routes, context);
  }
}
