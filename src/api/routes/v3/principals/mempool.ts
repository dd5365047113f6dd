import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { listPendingOf } from '../../../../queries/mempool/pending-summaries.ts';
import { cursorQuery, renderKeyedPage } from '../../../../schemas/pages/cursor-list.ts';
import { pendingCursor, pendingPattern, readPendingCursor } from '../../../../schemas/transactions/pending-cursor.ts';
import { PendingSummaryList, renderPending } from '../../../../schemas/transactions/pending-summary.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Transactions'];
const params = Type.Object({ principal: WholePrincipalParam });

export const v3PrincipalsMempool: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v3/principals/:principal/mempool/transactions',
    {
      config: { freshness: 'principal+mempool' },
      schema: {
        operationId: 'get_principal_mempool_transactions',
        summary: 'List the pending transactions of a principal',
        description:
          'Returns the pending transactions that the principal sends or sponsors, or whose recipient or called ' +
          'contract it is, newest first.',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 50, pendingPattern)),
        response: { 200: PendingSummaryList },
      },
    },
    async ({ params, query: { limit = 20, cursor } }) => {
      const principal = loosePrincipalOf(params.principal);
      const page = await listPendingOf(sql, principal, { cursor: readPendingCursor(cursor), limit });
      return renderKeyedPage(page, limit, { cursorOf: pendingCursor, render: renderPending });
    },
  );
};
