import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOrUnknown } from '../../codec/address/principal.ts';
import { cursorQuery } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { chainPattern, readChainCursor } from '../transactions/chain-cursor-schema.ts';
import { WholePrincipalParam } from './principal-params.ts';
import { PrincipalTransactionList } from './principal-transaction-schema.ts';
import { listPrincipalTransactionSummaries } from './summary-list-view.ts';

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
        summary: 'List the transactions of a principal',
        description:
          'Returns the transactions that involve the principal, newest first, each with the STX (micro-STX) that it ' +
          'moved for the principal.',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 50, chainPattern)),
        response: { 200: PrincipalTransactionList },
      },
    },
    async request => {
      const { params, query } = request;
      const page = { cursor: readChainCursor(query.cursor), limit: query.limit ?? 20 };
      const principal = principalOrUnknown(params.principal);
      return await listPrincipalTransactionSummaries(caches, sql, principal, page, shapeOf(request));
    },
  );
};
