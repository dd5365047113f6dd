import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../schemas/error.ts';
import { cursorQuery } from '../../../schemas/pages/cursor-list.ts';
import { chainPattern, readChainCursor } from '../../../schemas/transactions/chain-cursor.ts';
import { TransactionSummaryList } from '../../../schemas/transactions/transaction-summary.ts';
import { listBlockTransactionSummaries } from '../../../views/principals/summary-list.ts';
import { settleAt } from '../../http/settled.ts';
import { BlockKeyParam, blockKeyOf } from '../../params/block.ts';
import type { RouteContext } from '../../route-context.ts';

export const v3Blocks: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches, shapeOf }) => {
  app.get(
    '/extended/v3/blocks/:height_or_hash/transactions',
    {
      config: { freshness: 'block' },
      schema: {
        operationId: 'get_block_transactions',
        summary: 'Transactions of a block, the last first',
        tags: ['Transactions'],
        params: Type.Object({ height_or_hash: BlockKeyParam }),
        querystring: Type.Object(cursorQuery(20, 50, chainPattern)),
        response: { 200: TransactionSummaryList, 404: ErrorBody },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const { limit = 20, cursor } = query;
      const page = { cursor: readChainCursor(cursor), limit };
      const key = blockKeyOf(params.height_or_hash);
      return settleAt(reply, await listBlockTransactionSummaries(caches, sql, key, page, shapeOf(request)));
    },
  );
};
