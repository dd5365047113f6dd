import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { listBalanceChanges } from '../../../../../queries/principals/balance-changes.ts';
import { cursorQuery, cutList, startOf } from '../../../../../schemas/pages/cursor-list.ts';
import {
  assetCursor,
  assetPattern,
  BalanceChangeList,
  isAtAsset,
  renderBalanceChange,
  sortChanges,
} from '../../../../../schemas/principals/balance-change.ts';
import { settle } from '../../../../http/settled.ts';
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
        summary: 'List the balance changes of a transaction',
        description:
          'Returns how one transaction changed the balances of the principal: STX first, then fungible tokens, then ' +
          'NFTs, each by identifier. The list is empty if the transaction is not confirmed or did not change ' +
          'anything.',
        tags,
        params: Type.Object({ principal: WholePrincipalParam, tx_id: TransactionIdParam }),
        querystring: Type.Object(cursorQuery(20, 50, assetPattern)),
        response: { 200: BalanceChangeList },
      },
    },
    async ({ params, query: { limit = 20, cursor } }, reply) => {
      const ids = [transactionIdOf(params.tx_id)];
      const rows = sortChanges(await listBalanceChanges(sql, loosePrincipalOf(params.principal), ids));
      const [first] = rows;
      if (first) settle(reply, first.height);
      const start = startOf(rows, cursor, isAtAsset);
      return cutList(rows, { start, limit, wholePages: true }, { cursorOf: assetCursor, render: renderBalanceChange });
    },
  );
};
