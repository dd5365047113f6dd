import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { Page, pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { Transaction } from '../../../../schemas/transactions/transaction.ts';
import { listTransactionsOfBlockV1 } from '../../../../views/transactions/block-transactions.ts';
import { HeightParam } from '../../../params/block.ts';
import { excludeFunctionArgs } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Transactions'];
const response = { 200: Page(Transaction, 'TransactionPage'), 404: ErrorBody };

export const v1TxBlockHeight: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/tx/block_height/:height',
    {
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_transactions_by_block_height',
        summary: 'Transactions of a block by its height, last first',
        tags,
        params: Type.Object({ height: HeightParam }),
        querystring: Type.Object({ ...pageQuery(20, 50), ...excludeFunctionArgs }),
        response,
      },
    },
    ({ params: { height }, query }) =>
      listTransactionsOfBlockV1(
        caches,
        sql,
        { height },
        { ...pageOf(query, 20), excludeFunctionArgs: query.exclude_function_args },
        `no block found at height ${height}`,
      ),
  );
};
