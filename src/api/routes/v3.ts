import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../server.ts';
import { blockV3Routes } from './v3/blocks.ts';
import { mempoolV3Routes } from './v3/mempool.ts';
import { principalBalanceChangeRoutes } from './v3/principals/balance-changes.ts';
import { principalBalanceRoutes } from './v3/principals/balances.ts';
import { principalMiningRoutes } from './v3/principals/mining.ts';
import { principalNonceRoutes } from './v3/principals/nonces.ts';
import { principalTransactionRoutes } from './v3/principals/transactions.ts';
import { principalTransferRoutes } from './v3/principals/transfers.ts';
import { searchV3Routes } from './v3/search.ts';
import { smartContractV3Routes } from './v3/smart-contracts.ts';
import { tokenV3Routes } from './v3/tokens.ts';
import { transactionV3Routes } from './v3/transactions.ts';

/** The third version: short rows, pages by cursor, heavy fields on request. Staking has a folder of its own. */
export async function v3Routes(app: FastifyInstance, context: RouteContext): Promise<void> {
  for (const routes of [
    blockV3Routes,
    mempoolV3Routes,
    principalBalanceChangeRoutes,
    principalBalanceRoutes,
    principalMiningRoutes,
    principalNonceRoutes,
    principalTransactionRoutes,
    principalTransferRoutes,
    searchV3Routes,
    smartContractV3Routes,
    tokenV3Routes,
    transactionV3Routes,
  ]) {
    await app.register(routes, context);
  }
}
