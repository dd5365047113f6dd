import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { Page, pageQuery } from '../../../../schemas/pages/page.ts';
import { Transaction } from '../../../../schemas/transactions/transaction.ts';
import { listTransactionsOfBlock } from '../../../../views/transactions/block-transactions.ts';
import { settleAt } from '../../../http/settled.ts';
import { BlockKeyParam, blockKeyOf } from '../../../params/block.ts';
import { excludeFunctionArgs } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Transactions'];
const response = { 200: Page(Transaction, 'TransactionPage'), 404: ErrorBody };

export const v2BlocksTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v2/blocks/:height_or_hash/transactions',
    {
      config: { freshness: 'block' },
      schema: {
        operationId: 'get_transactions_by_block',
        summary: 'Transactions of a block, first one first',
        tags,
        params: Type.Object({ height_or_hash: BlockKeyParam }),
        querystring: Type.Object({ ...pageQuery(20, 50), ...excludeFunctionArgs }),
        response,
      },
    },
    async ({ params, query: { limit = 20, offset = 0, exclude_function_args } }, reply) => {
      const page = { limit, offset, excludeFunctionArgs: exclude_function_args };
      return settleAt(reply, await listTransactionsOfBlock(caches, sql, blockKeyOf(params.height_or_hash), page));
    },
  );
};
