import { bareHex } from '@cairn-stacks/codec/hex';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest, notFound } from '../../errors.ts';
import { cacheUntilRollback } from '../../http/cache-until-rollback.ts';
import { COMMA_LIST } from '../../http/comma-params.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { maxHeight } from '../blocks/block-params.ts';
import { listEventsFrom } from '../events/pages-queries.ts';
import {
  eventCursors,
  eventPattern,
  ListedEventList,
  renderTransactionEvent,
} from '../events/transaction-event-schema.ts';
import { hasFilter, transactionFilterOf, transactionFilterQuery } from '../filters/filter-params.ts';
import { aboutFilters, renderFilteredStep } from '../filters/filtered-page-schema.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { chainCursor, chainPattern, endOfBlock, readChainCursor } from './chain-cursor-schema.ts';
import { findCurrentTransaction } from './current-transactions-queries.ts';
import { MOST_LISTED } from './filtered-list-queries.ts';
import { listMatchingSummaries, listSummaries, listSummariesOf } from './summaries-queries.ts';
import { renderSummaryList } from './summary-list-view.ts';
import {
  inclusions,
  PendingDetail,
  renderDetail,
  renderPendingDetail,
  TransactionDetail,
} from './transaction-detail-schema.ts';
import { TransactionIdParam, transactionIdOf } from './transaction-params.ts';
import { FilteredSummaryList, TransactionSummary } from './transaction-summary-schema.ts';

const tags = ['Transactions'];
const params = Type.Object({ tx_id: TransactionIdParam });
const Include = Type.Array(Type.Union(inclusions.map(name => Type.Literal(name))), {
  [COMMA_LIST]: 'single',
  uniqueItems: true,
  description: 'Optional fields to include.',
});
const Batch = Type.Array(TransactionIdParam, {
  [COMMA_LIST]: 'single',
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'Ids of 1 to 20 transactions.',
});

export const v3Transactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches, shapeOf }) => {
  app.get(
    '/extended/v3/transactions',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_transactions',
        summary: 'List transactions',
        description: `Returns confirmed transactions, newest first. ${aboutFilters(MOST_LISTED, 'transactions')}`,
        tags,
        querystring: Type.Object({ ...cursorQuery(20, 50, chainPattern), ...transactionFilterQuery }),
        response: { 200: FilteredSummaryList, 400: ErrorBody },
      },
    },
    async request => {
      const { sql, query } = request;
      const { limit = 20 } = query;
      const cursor = readChainCursor(query.cursor);
      if (hasFilter(query)) {
        const step = await listMatchingSummaries(sql, { filter: transactionFilterOf(query), cursor, limit });
        const shown = await renderSummaryList(caches, sql, step.rows, shapeOf(request));
        return renderFilteredStep(step, limit, {
          cursorOf: chainCursor,
          endOf: endOfBlock,
          render: (_, i) => shown[i]!,
        });
      }
      const found = await listSummaries(sql, { cursor, limit });
      const summaries = await renderSummaryList(caches, sql, found.rows, shapeOf(request));
      return renderKeyedPage(found, limit, { cursorOf: chainCursor, render: (_, i) => summaries[i]! });
    },
  );

  app.get(
    '/extended/v3/transactions/batch',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_transactions_batch',
        summary: 'Get several transactions',
        description:
          'Returns the confirmed ones of the requested transactions, newest first. Pending and unknown ids are left ' +
          'out.',
        tags,
        querystring: Type.Object({ tx_id: Batch }),
        response: { 200: Type.Object({ results: Type.Array(TransactionSummary) }, { title: 'TransactionBatch' }) },
      },
    },
    async request => {
      const ids = request.query.tx_id.map(transactionIdOf);
      // The pattern takes an id with and without 0x, and in either case.
      if (new Set(ids.map(bareHex)).size < ids.length)
        throw badRequest('querystring/tx_id must NOT have duplicate items');
      return { results: await renderSummaryList(caches, request.sql, await listSummariesOf(request.sql, ids), '9.3') };
    },
  );

  app.get(
    '/extended/v3/transactions/:tx_id',
    {
      config: { freshness: 'tx' },
      schema: {
        operationId: 'get_transaction',
        summary: 'Get a transaction',
        description:
          'Returns a confirmed or pending transaction. Large fields are present only if `include` names them. The ' +
          'status is 404 if the transaction is neither confirmed nor pending.',
        tags,
        params,
        querystring: Type.Object({ include: Type.Optional(Include) }),
        response: { 200: Type.Union([TransactionDetail, PendingDetail]), 404: ErrorBody },
      },
    },
    async (request, reply) => {
      const { sql, params, query } = request;
      const { include = [] } = query;
      const found = await findCurrentTransaction(sql, transactionIdOf(params.tx_id));
      if (!found) throw notFound('Transaction not found');
      if ('pending' in found) return renderPendingDetail(found.pending, include);
      const { mined } = found;
      return cacheUntilRollback(reply, { body: renderDetail(mined, include, shapeOf(request)), height: mined.height });
    },
  );

  app.get(
    '/extended/v3/transactions/:tx_id/events',
    {
      config: { freshness: 'tx' },
      schema: {
        operationId: 'get_transaction_events',
        summary: 'List the events of a transaction',
        description:
          'Returns the events of a confirmed transaction in the order of `event_index`. The status is 400 if the ' +
          'transaction is not confirmed.',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 100, eventPattern)),
        response: { 200: ListedEventList, 400: ErrorBody },
      },
    },
    async ({ sql, params, query: { limit = 20, cursor = '0' } }, reply) => {
      const from = Math.min(Number(cursor), maxHeight);
      const events = await listEventsFrom(sql, transactionIdOf(params.tx_id), { from, limit });
      // Clients know this one as an invalid request.
      if (!events) throw badRequest('Transaction not found');
      const { total, rows, height } = events;
      const results = rows.slice(0, limit).map(renderTransactionEvent);
      return cacheUntilRollback(reply, { body: { total, limit, cursor: eventCursors(rows, limit), results }, height });
    },
  );
};
