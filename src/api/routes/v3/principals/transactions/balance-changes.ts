import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cursorQuery } from '../../../../../schemas/pages/cursor-list.ts';
import { assetPattern, BalanceChangeList } from '../../../../../schemas/principals/balance-change.ts';
import { listChangesByTransaction } from '../../../../../views/principals/activity.ts';
import { settleAt } from '../../../../http/settled.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../../params/principal.ts';
import { TransactionIdParam, transactionIdOf } from '../../../../params/transaction.ts';
import type { RouteContext } from '../../../../route-context.ts';

const tags = ['Transactions'];

export const v3PrincipalsTransactionsBalanceChanges: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v3/principals/:principal/transactions/:tx_id/balance-changes',
    {
      config: { freshness: 'tx' },
      schema: {
        operationId: 'get_principal_transaction_balance_changes',
        summary: 'How a transaction changed what an account has, asset by asset',
        tags,
        params: Type.Object({ principal: WholePrincipalParam, tx_id: TransactionIdParam }),
        querystring: Type.Object(cursorQuery(20, 50, assetPattern)),
        response: { 200: BalanceChangeList },
      },
    },
    async ({ params, query: { limit = 20, cursor } }, reply) => {
      const principal = loosePrincipalOf(params.principal);
      const page = { limit, cursor };
      return settleAt(reply, await listChangesByTransaction(sql, principal, transactionIdOf(params.tx_id), page));
    },
  );
};
