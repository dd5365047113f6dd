import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest, notFound } from '../../errors.ts';
import { cacheUntilRollback } from '../../http/cache-until-rollback.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { BlockKeyParam, blockKeyOf } from '../blocks/block-params.ts';
import { blockFilterQuery, hasFilter, refuseBesideFilters, transactionFilterOf } from '../filters/filter-params.ts';
import { walkPlaces } from '../filters/filtered-walk-view.ts';
import { FilteredPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { listTransactionsOfBlock } from './block-transactions-view.ts';
import { listFilteredOfBlock } from './filtered-list-queries.ts';
import { renderTransactionList } from './transaction-list-view.ts';
import { excludeFunctionArgs } from './transaction-params.ts';
import { Transaction } from './transaction-schema.ts';

const tags = ['Transactions'];
const response = {
  200: FilteredPage(Transaction, 'FilteredTransactionPage'),
  400: ErrorBody,
  404: ErrorBody,
  409: ForkBody,
};

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
          '`offset` lies beyond its last transaction. With a filter or `cursor`, `total` is null and the list goes on with `next_cursor`.',
        tags,
        params: Type.Object({ height_or_hash: BlockKeyParam }),
        querystring: Type.Object({ ...walkedPageQuery(20, 50), ...excludeFunctionArgs, ...blockFilterQuery }),
        response,
      },
    },
    async (request, reply) => {
      const { sql, params, query } = request;
      const { limit = 20, offset = 0, exclude_function_args } = query;
      if (query.cursor !== undefined || hasFilter(query)) {
        refuseBesideFilters(query);
        const [key, filter] = [blockKeyOf(params.height_or_hash), transactionFilterOf(query, blockFilterQuery)];
        if (key === 'latest')
          throw badRequest('height_or_hash=latest cannot be combined with filters or cursor: name the block');
        const { rows, ...cursors } = await walkPlaces(request, async place => {
          const step = await listFilteredOfBlock(sql, key, { filter, place, limit: limit || 20 });
          if (!step) throw notFound('Block not found');
          return step;
        });
        const options = { excludeFunctionArgs: exclude_function_args, withoutInterface: true };
        const results = await renderTransactionList(caches, sql, rows, options);
        return { limit: limit || 20, offset, total: null, results, ...cursors };
      }
      const page = { limit, offset, excludeFunctionArgs: exclude_function_args };
      return cacheUntilRollback(
        reply,
        await listTransactionsOfBlock(caches, sql, blockKeyOf(params.height_or_hash), page),
      );
    },
  );
};
