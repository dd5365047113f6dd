import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { chainCursor, chainPattern, readChainCursor } from '../transactions/chain-cursor-schema.ts';
import { renderSummaryList } from '../transactions/summary-list-view.ts';
import { ExactPrincipalParam } from './principal-params.ts';
import { PrincipalTransactionList, renderPrincipalTransaction } from './principal-transaction-schema.ts';
import { listPrincipalSummaries } from './summaries-queries.ts';

const tags = ['Transactions'];
const params = Type.Object({ principal: ExactPrincipalParam });

export const v3PrincipalsTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches, shapeOf }) => {
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
      const { sql, params, query } = request;
      const page = { cursor: readChainCursor(query.cursor), limit: query.limit ?? 20 };
      const principal = principalOrUnknown(params.principal);
      const found = await listPrincipalSummaries(sql, principal, page);
      const summaries = await renderSummaryList(caches, sql, found.rows, shapeOf(request));
      return renderKeyedPage(found, page.limit, {
        cursorOf: chainCursor,
        render: (row, i) => renderPrincipalTransaction(row, summaries[i]!),
      });
    },
  );
};
