import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest, notFound } from '../../../errors.ts';
import { findCurrentTransaction } from '../../../queries/current-transactions.ts';
import { listEventsFrom } from '../../../queries/event-pages.ts';
import { listSummaries } from '../../../queries/transaction-summaries.ts';
import { chainCursor, chainPattern, readChainCursor } from '../../../schemas/chain-cursor.ts';
import { cursorQuery, renderKeyedPage } from '../../../schemas/cursor-list.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import {
  inclusions,
  PendingDetail,
  renderDetail,
  renderPendingDetail,
  TransactionDetail,
} from '../../../schemas/transaction-detail.ts';
import {
  eventCursors,
  eventPattern,
  ListedEventList,
  renderTransactionEvent,
} from '../../../schemas/transaction-event.ts';
import { TransactionSummaryList } from '../../../schemas/transaction-summary.ts';
import { maxHeight } from '../../block-param.ts';
import { COMMA_LIST } from '../../openapi.ts';
import type { RouteContext } from '../../server.ts';
import { gatherSummaries } from '../../summary-pieces.ts';
import { TransactionIdParam, transactionIdOf } from '../../transaction-param.ts';

const tags = ['Transactions'];
const params = Type.Object({ tx_id: TransactionIdParam });
const Include = Type.Array(Type.Union(inclusions.map(name => Type.Literal(name))), {
  [COMMA_LIST]: 'single',
  uniqueItems: true,
  description: 'What to tell beside the usual.',
});

export const transactionV3Routes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, pieces }) => {
  app.get(
    '/extended/v3/transactions',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_transactions',
        summary: 'Confirmed transactions, the newest first',
        tags,
        querystring: Type.Object(cursorQuery(20, 50, chainPattern)),
        response: { 200: TransactionSummaryList },
      },
    },
    async ({ query: { limit = 20, cursor } }) => {
      const page = await listSummaries(sql, { cursor: readChainCursor(cursor), limit });
      const summaries = await gatherSummaries(pieces, sql, page.rows);
      return renderKeyedPage(page, limit, { cursorOf: chainCursor, render: (_, i) => summaries[i]! });
    },
  );

  app.get(
    '/extended/v3/transactions/:tx_id',
    {
      config: { freshness: 'tx' },
      schema: {
        operationId: 'get_transaction',
        summary: 'A confirmed or pending transaction, with what is asked for',
        tags,
        params,
        querystring: Type.Object({ include: Type.Optional(Include) }),
        response: { 200: Type.Union([TransactionDetail, PendingDetail]), 404: ErrorBody },
      },
    },
    async ({ params, query: { include = [] } }) => {
      const found = await findCurrentTransaction(sql, transactionIdOf(params.tx_id));
      if (!found) throw notFound('Transaction not found');
      return 'mined' in found ? renderDetail(found.mined, include) : renderPendingDetail(found.pending, include);
    },
  );

  app.get(
    '/extended/v3/transactions/:tx_id/events',
    {
      config: { freshness: 'tx' },
      schema: {
        operationId: 'get_transaction_events',
        summary: 'Events of a confirmed transaction, in their order',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 100, eventPattern)),
        response: { 200: ListedEventList, 400: ErrorBody },
      },
    },
    async ({ params, query: { limit = 20, cursor = '0' } }) => {
      const from = Math.min(Number(cursor), maxHeight);
      const events = await listEventsFrom(sql, transactionIdOf(params.tx_id), { from, limit });
      // Clients know this one as a wrong request.
      if (!events) throw badRequest('Transaction not found');
      const { total, rows } = events;
      const results = rows.slice(0, limit).map(renderTransactionEvent);
      return { total, limit, cursor: eventCursors(rows, limit), results };
    },
  );
};
