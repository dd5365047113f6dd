import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cursorQuery } from '../../../../schemas/pages/cursor-list.ts';
import { pendingPattern, readPendingCursor } from '../../../../schemas/transactions/pending-cursor.ts';
import { PendingSummaryList } from '../../../../schemas/transactions/pending-summary.ts';
import { listPendingSummaries } from '../../../../views/mempool/mempool-list.ts';
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
        summary: 'Pending transactions from, for or paid by an account, the newest first',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 50, pendingPattern)),
        response: { 200: PendingSummaryList },
      },
    },
    async ({ params, query: { limit = 20, cursor } }) =>
      listPendingSummaries(sql, { cursor: readPendingCursor(cursor), limit }, loosePrincipalOf(params.principal)),
  );
};
