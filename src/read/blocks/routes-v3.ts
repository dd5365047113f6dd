import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { cacheUntilRollback } from '../../http/cache-until-rollback.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { chainCursor, chainPattern, readChainCursor } from '../transactions/chain-cursor-schema.ts';
import { listBlockSummaries } from '../transactions/summaries-queries.ts';
import { renderSummaryList } from '../transactions/summary-list-view.ts';
import { TransactionSummaryList } from '../transactions/transaction-summary-schema.ts';
import { BlockKeyParam, blockKeyOf } from './block-params.ts';

export const v3Blocks: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches, shapeOf }) => {
  app.get(
    '/extended/v3/blocks/:height_or_hash/transactions',
    {
      config: { freshness: 'block' },
      schema: {
        operationId: 'get_block_transactions',
        summary: 'List the transactions of a block',
        description: 'Returns the transactions of a block, last one first. The status is 404 if the block is unknown.',
        tags: ['Transactions'],
        params: Type.Object({ height_or_hash: BlockKeyParam }),
        querystring: Type.Object(cursorQuery(20, 50, chainPattern)),
        response: { 200: TransactionSummaryList, 404: ErrorBody },
      },
    },
    async (request, reply) => {
      const { sql, params, query } = request;
      const { limit = 20, cursor } = query;
      const page = { cursor: readChainCursor(cursor), limit };
      const key = blockKeyOf(params.height_or_hash);
      const found = await listBlockSummaries(sql, key, page);
      if (!found) throw notFound('Block not found');
      const summaries = await renderSummaryList(caches, sql, found.rows, shapeOf(request));
      const body = renderKeyedPage(found, limit, { cursorOf: chainCursor, render: (_, i) => summaries[i]! });
      return cacheUntilRollback(reply, { body, height: key === 'latest' ? undefined : found.rows[0]?.height });
    },
  );
};
