import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { listBalanceChanges } from '../../../../queries/balance-changes.ts';
import {
  assetCursor,
  assetPattern,
  BalanceChangeList,
  changeCursor,
  changePattern,
  isAtAsset,
  isAtChange,
  renderBalanceChange,
  renderTransactionBalanceChange,
  sortChanges,
  TransactionBalanceChangeList,
} from '../../../../schemas/balance-change.ts';
import { cursorQuery, cutList, startOf } from '../../../../schemas/cursor-list.ts';
import { COMMA_LIST } from '../../../openapi.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../principal-param.ts';
import type { RouteContext } from '../../../server.ts';
import { settle } from '../../../settled.ts';
import { TransactionIdParam, transactionIdOf } from '../../../transaction-param.ts';

const tags = ['Transactions'];

export const principalBalanceChangeRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
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
      const ids = [transactionIdOf(params.tx_id)];
      const rows = sortChanges(await listBalanceChanges(sql, loosePrincipalOf(params.principal), ids));
      const [first] = rows;
      if (first) settle(reply, first.height);
      const start = startOf(rows, cursor, isAtAsset);
      return cutList(rows, { start, limit, wholePages: true }, { cursorOf: assetCursor, render: renderBalanceChange });
    },
  );

  app.get(
    '/extended/v3/principals/:principal/balance-changes',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_balance_changes',
        summary: 'How some transactions changed what an account has, the newest first',
        tags,
        params: Type.Object({ principal: WholePrincipalParam }),
        querystring: Type.Object({
          ...cursorQuery(20, 50, changePattern),
          tx_id: Type.Array(TransactionIdParam, {
            [COMMA_LIST]: 'single',
            minItems: 1,
            maxItems: 20,
            description: 'Which transactions; unknown ones changed nothing.',
          }),
        }),
        response: { 200: TransactionBalanceChangeList },
      },
    },
    async ({ params, query: { limit = 20, cursor, tx_id } }) => {
      const ids = tx_id.map(transactionIdOf);
      const rows = sortChanges(await listBalanceChanges(sql, loosePrincipalOf(params.principal), ids));
      const start = startOf(rows, cursor, isAtChange);
      const rendering = { cursorOf: changeCursor, render: renderTransactionBalanceChange };
      return cutList(rows, { start, limit, wholePages: true }, rendering);
    },
  );
};
