import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { Page, pageOf, pageQuery, renderPage } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { excludeFunctionArgs, includeSize, includeState, unanchored } from '../transactions/transaction-params.ts';
import { mempoolFilterOf, mempoolFilters } from './filter-params.ts';
import { listDropped, listMempool } from './mempool-queries.ts';
import { MempoolStats, renderMempoolStats } from './mempool-stats-schema.ts';
import { MempoolTransaction, renderMempoolTransaction } from './mempool-transaction-schema.ts';
import { countMempoolTypes, findMempoolStats } from './stats-queries.ts';

const tags = ['Mempool'];
const MempoolPage = Page(MempoolTransaction, 'MempoolTransactionPage');

export const v1TxMempool: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
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
    async ({ sql, query }) => {
      const page = pageOf(query, 20);
      const order = { by: query.order_by ?? 'age', direction: query.order ?? 'desc' } as const;
      const listed = await listMempool(sql, mempoolFilterOf(query), page, order, caches.interfaces);
      const options = {
        excludeFunctionArgs: query.exclude_function_args,
        withState: query.include_state,
        withSize: query.include_size,
      };
      return renderPage(page, listed, row => renderMempoolTransaction(row, options));
    },
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
    async ({ sql, query }) => {
      const page = pageOf(query, 20);
      return renderPage(page, await listDropped(sql, page, caches.interfaces), row => renderMempoolTransaction(row));
    },
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
    ({ sql }) =>
      inSnapshot(sql, async snapshot =>
        renderMempoolStats(await countMempoolTypes(snapshot), await findMempoolStats(snapshot)),
      ),
  );
};
