import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../../../errors.ts';
import { listBlockTransactions } from '../../../../queries/blocks/block-transactions.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { Page, pageQuery } from '../../../../schemas/pages/page.ts';
import { Transaction } from '../../../../schemas/transactions/transaction.ts';
import { gatherTransactions } from '../../../../views/transactions/transaction-list.ts';
import { settle } from '../../../http/settled.ts';
import { BlockKeyParam, blockKeyOf } from '../../../params/block.ts';
import { excludeFunctionArgs } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Transactions'];
const response = { 200: Page(Transaction, 'TransactionPage'), 404: ErrorBody };

export const v2BlocksTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, pieces }) => {
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
    async ({ params, query: { limit = 20, offset = 0, exclude_function_args } }, reply) => {
      const key = blockKeyOf(params.height_or_hash);
      const page = { limit, offset, order: 'asc' } as const;
      const listed = await listBlockTransactions(sql, key, page);
      // A page beyond the last one has always been "not found" here.
      const first = listed?.rows[0];
      if (!listed || !first) throw notFound('Block not found');
      if (key !== 'latest') settle(reply, first.height);
      // This list never knew the interfaces of contracts, and counts what the block's own message holds.
      const options = { excludeFunctionArgs: exclude_function_args, withoutInterface: true };
      const results = await gatherTransactions(pieces, sql, listed.rows, options);
      return { limit, offset, total: listed.txCount, results };
    },
  );
};
