import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { hashOf } from '../blocks/block-params.ts';
import { pageOf, WalkedPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { listTransactionsOfBlockV1 } from './block-transactions-view.ts';
import { excludeFunctionArgs } from './transaction-params.ts';
import { Transaction } from './transaction-schema.ts';

const tags = ['Transactions'];
const response = { 200: WalkedPage(Transaction, 'TransactionPage'), 404: ErrorBody, 409: ForkBody };

export const v1TxBlock: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/tx/block/:block_hash',
    {
      config: { freshness: 'tip', deprecated: true, walk: { grows: 'nowhere' } },
      schema: {
        operationId: 'get_transactions_by_block_hash',
        summary: 'List the transactions of a block by hash',
        description:
          'Returns the transactions of a block, last one first. Deprecated: use ' +
          '`/extended/v2/blocks/{height_or_hash}/transactions`. The status is 404 if no block has this hash.',
        tags,
        params: Type.Object({ block_hash: Type.String({ description: 'A block hash in hex, with `0x`.' }) }),
        querystring: Type.Object({ ...walkedPageQuery(20, 200), ...excludeFunctionArgs }),
        response,
      },
    },
    async ({ sql, params, query }) =>
      listTransactionsOfBlockV1(
        caches,
        sql,
        { hash: hashOf(params.block_hash) },
        { ...pageOf(query, 20), excludeFunctionArgs: query.exclude_function_args },
        'no block found by hash',
      ),
  );
};
