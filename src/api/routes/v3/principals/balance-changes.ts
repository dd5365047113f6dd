import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cursorQuery } from '../../../../schemas/pages/cursor-list.ts';
import { changePattern, TransactionBalanceChangeList } from '../../../../schemas/principals/balance-change.ts';
import { listChangesByTransactions } from '../../../../views/principals/activity.ts';
import { COMMA_LIST } from '../../../docs/openapi.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../params/principal.ts';
import { TransactionIdParam, transactionIdOf } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Transactions'];

export const v3PrincipalsBalanceChanges: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
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
    async ({ params, query: { limit = 20, cursor, tx_id } }) =>
      listChangesByTransactions(sql, loosePrincipalOf(params.principal), tx_id.map(transactionIdOf), { limit, cursor }),
  );
};
