import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { HeightParam } from '../blocks/block-params.ts';
import { pageOf, WalkedPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { listTransactionsOfBlockV1 } from './block-transactions-view.ts';
import { excludeFunctionArgs } from './transaction-params.ts';
import { Transaction } from './transaction-schema.ts';

const tags = ['Transactions'];
const response = { 200: WalkedPage(Transaction, 'TransactionPage'), 404: ErrorBody, 409: ForkBody };

export const v1TxBlockHeight: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/tx/block_height/:height',
    {
      config: { freshness: 'tip', deprecated: true, walk: { grows: 'nowhere' } },
      schema: {
        operationId: 'get_transactions_by_block_height',
        summary: 'List the transactions of a block by height',
        description:
          'Returns the transactions of a block, last one first. Deprecated: use ' +
          '`/extended/v2/blocks/{height_or_hash}/transactions`. The status is 404 if there is no block at this ' +
          'height.',
        tags,
        params: Type.Object({ height: HeightParam }),
        querystring: Type.Object({ ...walkedPageQuery(20, 50), ...excludeFunctionArgs }),
        response,
      },
    },
    ({ sql, params: { height }, query }) =>
      listTransactionsOfBlockV1(
        caches,
        sql,
        { height },
        { ...pageOf(query, 20), excludeFunctionArgs: query.exclude_function_args },
        `no block found at height ${height}`,
      ),
  );
};
