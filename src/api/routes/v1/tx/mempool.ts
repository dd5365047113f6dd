import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { MempoolStats } from '../../../../schemas/mempool/mempool-stats.ts';
import { MempoolTransaction } from '../../../../schemas/mempool/mempool-transaction.ts';
import { Page, pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { findStats, listDroppedTransactions, listPendingTransactions } from '../../../../views/mempool/mempool-list.ts';
import { mempoolFilterOf, mempoolFilters } from '../../../params/mempool-filter.ts';
import { excludeFunctionArgs, includeSize, includeState, unanchored } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Mempool'];
const MempoolPage = Page(MempoolTransaction, 'MempoolTransactionPage');

export const v1TxMempool: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/tx/mempool',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_mempool_transaction_list',
        summary: 'List pending transactions',
        description:
          'Returns the transactions of the mempool, newest first unless `order_by` and `order` say otherwise. ' +
          '`address` matches the sender, the recipient and the called contract, and cannot be combined with the ' +
          'other address filters.',
        tags,
        querystring: Type.Object({
          ...mempoolFilters,
          order_by: Type.Optional(
            Type.Union([Type.Literal('age'), Type.Literal('size'), Type.Literal('fee')], {
              description: 'What to order by. The default is `age`: the time of receipt.',
            }),
          ),
          order: Type.Optional(
            Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
              description: 'Direction of the order. The default is `desc`.',
            }),
          ),
          ...unanchored,
          ...pageQuery(20, 50),
          ...excludeFunctionArgs,
          ...includeState,
          ...includeSize,
        }),
        response: { 200: MempoolPage, 400: ErrorBody },
      },
    },
    async ({ query }) =>
      listPendingTransactions(caches, sql, pageOf(query, 20), {
        filter: mempoolFilterOf(query),
        order: { by: query.order_by ?? 'age', direction: query.order ?? 'desc' },
        excludeFunctionArgs: query.exclude_function_args,
        withState: query.include_state,
        withSize: query.include_size,
      }),
  );

  app.get(
    '/extended/v1/tx/mempool/dropped',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_dropped_mempool_transaction_list',
        summary: 'List dropped transactions',
        description:
          'Returns the transactions that left the mempool without being mined, most recently dropped first. ' +
          '`tx_status` says why each one was dropped.',
        tags,
        querystring: Type.Object(pageQuery(20, 50)),
        response: { 200: MempoolPage },
      },
    },
    ({ query }) => listDroppedTransactions(caches, sql, pageOf(query, 20)),
  );

  app.get(
    '/extended/v1/tx/mempool/stats',
    {
      config: { freshness: 'mempool', cost: 3 },
      schema: {
        operationId: 'get_mempool_transaction_stats',
        summary: 'Get mempool statistics',
        description:
          'Returns the number of pending transactions and the percentiles of their fees (micro-STX), ages (blocks) ' +
          'and sizes (bytes), by transaction type.',
        tags,
        response: { 200: MempoolStats },
      },
    },
    () => findStats(sql),
  );
};
