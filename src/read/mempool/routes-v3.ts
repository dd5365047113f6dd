import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { pendingCursor, pendingPattern, readPendingCursor } from '../transactions/pending-cursor-schema.ts';
import { PendingSummaryList, renderPending } from '../transactions/pending-summary-schema.ts';
import { MempoolSummary, renderMempoolSummary } from './mempool-summary-schema.ts';
import { listPending } from './pending-summaries-queries.ts';
import { listMempoolSummary } from './summary-queries.ts';

export const v3Mempool: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v3/mempool',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_mempool_summary',
        summary: 'Get mempool statistics',
        description:
          'Returns the number of pending transactions and the percentiles of their fees, sizes and arrival times, ' +
          'in total and by type.',
        tags: ['Mempool'],
        response: { 200: MempoolSummary },
      },
    },
    async ({ sql }) => renderMempoolSummary(await listMempoolSummary(sql)),
  );

  app.get(
    '/extended/v3/mempool/transactions',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_mempool_transactions',
        summary: 'List pending transactions',
        description: 'Returns the transactions of the mempool, newest first.',
        tags: ['Mempool'],
        querystring: Type.Object(cursorQuery(20, 50, pendingPattern)),
        response: { 200: PendingSummaryList },
      },
    },
    async ({ sql, query: { limit = 20, cursor } }) => {
      const found = await listPending(sql, { cursor: readPendingCursor(cursor), limit });
      return renderKeyedPage(found, limit, { cursorOf: pendingCursor, render: renderPending });
    },
  );
};
