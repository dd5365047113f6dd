import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { MempoolSummary } from '../../../schemas/mempool/mempool-summary.ts';
import { cursorQuery } from '../../../schemas/pages/cursor-list.ts';
import { pendingPattern, readPendingCursor } from '../../../schemas/transactions/pending-cursor.ts';
import { PendingSummaryList } from '../../../schemas/transactions/pending-summary.ts';
import { findMempoolSummary, listPendingSummaries } from '../../../views/mempool/mempool-list.ts';
import type { RouteContext } from '../../route-context.ts';

export const v3Mempool: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v3/mempool',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_mempool_summary',
        summary: 'How many transactions are pending, and what they pay',
        tags: ['Mempool'],
        response: { 200: MempoolSummary },
      },
    },
    () => findMempoolSummary(sql),
  );

  app.get(
    '/extended/v3/mempool/transactions',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_mempool_transactions',
        summary: 'Pending transactions, the newest first',
        tags: ['Mempool'],
        querystring: Type.Object(cursorQuery(20, 50, pendingPattern)),
        response: { 200: PendingSummaryList },
      },
    },
    ({ query: { limit = 20, cursor } }) => listPendingSummaries(sql, { cursor: readPendingCursor(cursor), limit }),
  );
};
