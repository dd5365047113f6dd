import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { Page, pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { Transaction } from '../../../../schemas/transactions/transaction.ts';
import { listTransactionsOfBlockV1 } from '../../../../views/transactions/block-transactions.ts';
import { hashOf } from '../../../params/block.ts';
import { excludeFunctionArgs } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Transactions'];
const response = { 200: Page(Transaction, 'TransactionPage'), 404: ErrorBody };

export const v1TxBlock: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/tx/block/:block_hash',
    {
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_transactions_by_block_hash',
        summary: 'Transactions of a block by its hash, last first',
        tags,
        params: Type.Object({ block_hash: Type.String() }),
        querystring: Type.Object({ ...pageQuery(20, 200), ...excludeFunctionArgs }),
        response,
      },
    },
    async ({ params, query }) =>
      listTransactionsOfBlockV1(
        caches,
        sql,
        { hash: hashOf(params.block_hash) },
        { ...pageOf(query, 20), excludeFunctionArgs: query.exclude_function_args },
        'no block found by hash',
      ),
  );
};
