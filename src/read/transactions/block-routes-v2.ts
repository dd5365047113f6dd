import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cacheUntilRollback } from '../../http/cache-until-rollback.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { BlockKeyParam, blockKeyOf } from '../blocks/block-params.ts';
import { Page, pageQuery } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { listTransactionsOfBlock } from './block-transactions-view.ts';
import { excludeFunctionArgs } from './transaction-params.ts';
import { Transaction } from './transaction-schema.ts';

const tags = ['Transactions'];
const response = { 200: Page(Transaction, 'TransactionPage'), 404: ErrorBody };

export const v2BlocksTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v2/blocks/:height_or_hash/transactions',
    {
      config: { freshness: 'block' },
      schema: {
        operationId: 'get_transactions_by_block',
        summary: 'List the transactions of a block',
        description:
          'Returns the transactions in the order of the block. The status is 404 if the block is unknown or ' +
          '`offset` lies beyond its last transaction.',
        tags,
        params: Type.Object({ height_or_hash: BlockKeyParam }),
        querystring: Type.Object({ ...pageQuery(20, 50), ...excludeFunctionArgs }),
        response,
      },
    },
    async ({ sql, params, query: { limit = 20, offset = 0, exclude_function_args } }, reply) => {
      const page = { limit, offset, excludeFunctionArgs: exclude_function_args };
      return cacheUntilRollback(
        reply,
        await listTransactionsOfBlock(caches, sql, blockKeyOf(params.height_or_hash), page),
      );
    },
  );
};
