import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cacheUntilRollback } from '../../http/cache-until-rollback.ts';
import { cursorQuery, cutList, startOf } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { TransactionIdParam, transactionIdOf } from '../transactions/transaction-params.ts';
import {
  assetCursor,
  assetPattern,
  BalanceChangeList,
  isAtAsset,
  renderBalanceChange,
  sortChanges,
} from './balance-change-schema.ts';
import { listBalanceChanges } from './balance-changes-queries.ts';
import { ExactPrincipalParam } from './principal-params.ts';

const tags = ['Transactions'];

export const v3PrincipalsTransactionsBalanceChanges: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v3/principals/:principal/transactions/:tx_id/balance-changes',
    {
      config: { freshness: 'tx' },
      schema: {
        operationId: 'get_principal_transaction_balance_changes',
        summary: 'List the balance changes of a transaction',
        description:
          'Returns how one transaction changed the balances of the principal: STX first, then fungible tokens, then ' +
          'NFTs, each by identifier. The list is empty if the transaction is not confirmed or did not change ' +
          'anything.',
        tags,
        params: Type.Object({ principal: ExactPrincipalParam, tx_id: TransactionIdParam }),
        querystring: Type.Object(cursorQuery(20, 50, assetPattern)),
        response: { 200: BalanceChangeList },
      },
    },
    async ({ sql, params, query: { limit = 20, cursor } }, reply) => {
      const principal = principalOrUnknown(params.principal);
      const rows = sortChanges(await listBalanceChanges(sql, principal, [transactionIdOf(params.tx_id)]));
      const start = startOf(rows, cursor, isAtAsset);
      const rendering = { cursorOf: assetCursor, render: renderBalanceChange };
      const body = cutList(rows, { start, limit, wholePages: true }, rendering);
      return cacheUntilRollback(reply, { body, height: rows[0]?.height });
    },
  );
};
