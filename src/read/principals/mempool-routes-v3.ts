import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { listPendingOf } from '../mempool/pending-summaries-queries.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { pendingCursor, pendingPattern, readPendingCursor } from '../transactions/pending-cursor-schema.ts';
import { PendingSummaryList, renderPending } from '../transactions/pending-summary-schema.ts';
import { ExactPrincipalParam } from './principal-params.ts';

const tags = ['Transactions'];
const params = Type.Object({ principal: ExactPrincipalParam });

export const v3PrincipalsMempool: FastifyPluginAsyncTypebox<RouteContext> = async app => {
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
    async ({ sql, params, query: { limit = 20, cursor } }) => {
      const page = { cursor: readPendingCursor(cursor), limit };
      const found = await listPendingOf(sql, principalOrUnknown(params.principal), page);
      return renderKeyedPage(found, limit, { cursorOf: pendingCursor, render: renderPending });
    },
  );
};
