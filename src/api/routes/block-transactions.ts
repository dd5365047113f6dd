import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { listBlockTransactions } from '../../queries/block-transactions.ts';
import { isLoggedBlock, type LoggedBlockKey } from '../../queries/logged-blocks.ts';
import { ErrorBody } from '../../schemas/error.ts';
import { Page, pageQuery } from '../../schemas/page.ts';
import { Transaction } from '../../schemas/transaction.ts';
import { BlockKeyParam, blockKeyOf, HeightParam, hashOf } from '../block-param.ts';
import type { RouteContext } from '../server.ts';
import { settle } from '../settled.ts';
import { excludeFunctionArgs } from '../transaction-param.ts';
import { gatherTransactions } from '../transaction-pieces.ts';

const tags = ['Transactions'];
const response = { 200: Page(Transaction, 'TransactionPage'), 404: ErrorBody };

type PageQuery = { limit?: number; offset?: number; exclude_function_args?: boolean };

export const blockTransactionRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, pieces }) => {
  /** The old form: last one first; an orphaned block is known, but none of its transactions count. */
  const ask = async (
    query: PageQuery,
    key: LoggedBlockKey & ({ hash: Uint8Array } | { height: number }),
    missing: string,
  ) => {
    const limit = query.limit || 20;
    const offset = query.offset ?? 0;
    const wanted = 'height' in key ? key : { blockHash: key.hash };
    const listed = await listBlockTransactions(sql, wanted, { limit, offset, order: 'desc' });
    if (!listed && !(await isLoggedBlock(sql, key))) throw notFound(missing);
    const options = { excludeFunctionArgs: query.exclude_function_args };
    const results = await gatherTransactions(pieces, sql, listed?.rows ?? [], options);
    return { limit, offset, total: listed?.total ?? 0, results };
  };

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
    async ({ params, query }) => ask(query, { hash: hashOf(params.block_hash) }, 'no block found by hash'),
  );

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
    ({ params: { height }, query }) => ask(query, { height }, `no block found at height ${height}`),
  );

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
