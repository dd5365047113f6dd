import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { bareHex } from '../../../codec/hex.ts';
import { badRequest } from '../../../errors.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { eventPattern, ListedEventList } from '../../../schemas/events/transaction-event.ts';
import { cursorQuery } from '../../../schemas/pages/cursor-list.ts';
import { chainPattern, readChainCursor } from '../../../schemas/transactions/chain-cursor.ts';
import { inclusions, PendingDetail, TransactionDetail } from '../../../schemas/transactions/transaction-detail.ts';
import { TransactionSummary, TransactionSummaryList } from '../../../schemas/transactions/transaction-summary.ts';
import { listEventsOfTransactionFrom } from '../../../views/events/event-pages.ts';
import { listTransactionBatch, listTransactionSummaries } from '../../../views/principals/summary-list.ts';
import { findTransactionDetail } from '../../../views/transactions/details.ts';
import { COMMA_LIST } from '../../docs/openapi.ts';
import { settleAt } from '../../http/settled.ts';
import { maxHeight } from '../../params/block.ts';
import { TransactionIdParam, transactionIdOf } from '../../params/transaction.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Transactions'];
const params = Type.Object({ tx_id: TransactionIdParam });
const Include = Type.Array(Type.Union(inclusions.map(name => Type.Literal(name))), {
  [COMMA_LIST]: 'single',
  uniqueItems: true,
  description: 'What to tell beside the usual.',
});
const Batch = Type.Array(TransactionIdParam, {
  [COMMA_LIST]: 'single',
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'Which transactions.',
});

export const v3Transactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches, shapeOf }) => {
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
    request => {
      const { limit = 20, cursor } = request.query;
      return listTransactionSummaries(caches, sql, { cursor: readChainCursor(cursor), limit }, shapeOf(request));
    },
  );

  app.get(
    '/extended/v3/transactions/batch',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_transactions_batch',
        summary: 'Some confirmed transactions, the newest first; those that are none are left out',
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
      return await listTransactionBatch(caches, sql, ids);
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
    async (request, reply) => {
      const { params, query } = request;
      const id = transactionIdOf(params.tx_id);
      return settleAt(reply, await findTransactionDetail(sql, id, query.include ?? [], shapeOf(request)));
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
    async ({ params, query: { limit = 20, cursor = '0' } }, reply) => {
      const from = Math.min(Number(cursor), maxHeight);
      return settleAt(reply, await listEventsOfTransactionFrom(sql, transactionIdOf(params.tx_id), { from, limit }));
    },
  );
};
