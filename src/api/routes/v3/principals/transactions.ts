import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cursorQuery } from '../../../../schemas/pages/cursor-list.ts';
import { PrincipalTransactionList } from '../../../../schemas/principals/principal-transaction.ts';
import { chainPattern, readChainCursor } from '../../../../schemas/transactions/chain-cursor.ts';
import { listPrincipalTransactionSummaries } from '../../../../views/principals/summary-list.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Transactions'];
const params = Type.Object({ principal: WholePrincipalParam });

export const v3PrincipalsTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { sql, caches, shapeOf },
) => {
  app.get(
    '/extended/v3/principals/:principal/transactions',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_transactions',
        summary: 'Transactions that touched an account, the newest first, with the STX they moved for it',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 50, chainPattern)),
        response: { 200: PrincipalTransactionList },
      },
    },
    async request => {
      const { params, query } = request;
      const page = { cursor: readChainCursor(query.cursor), limit: query.limit ?? 20 };
      const principal = loosePrincipalOf(params.principal);
      return await listPrincipalTransactionSummaries(caches, sql, principal, page, shapeOf(request));
    },
  );
};
