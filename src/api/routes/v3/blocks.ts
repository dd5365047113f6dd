import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../../errors.ts';
import { listBlockSummaries } from '../../../queries/transactions/summaries.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { cursorQuery, renderKeyedPage } from '../../../schemas/pages/cursor-list.ts';
import { chainCursor, chainPattern, readChainCursor } from '../../../schemas/transactions/chain-cursor.ts';
import { TransactionSummaryList } from '../../../schemas/transactions/transaction-summary.ts';
import { gatherSummaries } from '../../../views/principals/summary-list.ts';
import { settle } from '../../http/settled.ts';
import { BlockKeyParam, blockKeyOf } from '../../params/block.ts';
import type { RouteContext } from '../../route-context.ts';

export const v3Blocks: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, pieces, shapeOf }) => {
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
      const {
        params,
        query: { limit = 20, cursor },
      } = request;
      const key = blockKeyOf(params.height_or_hash);
      const page = await listBlockSummaries(sql, key, { cursor: readChainCursor(cursor), limit });
      if (!page) throw notFound('Block not found');
      const [first] = page.rows;
      if (first && key !== 'latest') settle(reply, first.height);
      const summaries = await gatherSummaries(pieces, sql, page.rows, shapeOf(request));
      return renderKeyedPage(page, limit, { cursorOf: chainCursor, render: (_, i) => summaries[i]! });
    },
  );
};
