import { toHex } from '@cairn-stacks/codec/hex';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { payloadIdsOf, transactionTypes } from '../../chain/transaction.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { badRequest, notFound } from '../../errors.ts';
import { cacheUntilRollback } from '../../http/cache-until-rollback.ts';
import { COMMA_LIST } from '../../http/comma-params.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { redirected, redirectTo0x } from '../../http/hex-redirect.ts';
import { transactionFilterQuery } from '../filters/filter-params.ts';
import { aboutFilteredPages } from '../filters/filtered-page-schema.ts';
import { walkFiltered } from '../filters/filtered-walk-view.ts';
import { MempoolTransaction } from '../mempool/mempool-transaction-schema.ts';
import { refuseUnbounded } from '../pages/page-errors.ts';
import { FilteredPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { type ListQuery, listFilterOf, listFilters, pendingListOf } from './filter-params.ts';
import { filteredListOf, isFiltered } from './filtered-list-params.ts';
import { listFilteredTransactionKeys, MOST_LISTED } from './filtered-list-queries.ts';
import { listTransactions } from './list-queries.ts';
import { findRawTransaction } from './lookup-queries.ts';
import { findTransactionsById } from './lookup-view.ts';
import { renderTransactionList } from './transaction-list-view.ts';
import {
  eventRange,
  excludeFunctionArgs,
  includeState,
  TransactionIdParam,
  transactionIdOf,
  unanchored,
} from './transaction-params.ts';
import { Transaction } from './transaction-schema.ts';

/** Says that a total is no more than was counted. */
const TOTAL_HEADER = 'x-cairn-total';

const tags = ['Transactions'];
const lookup = { ...eventRange, ...unanchored, ...excludeFunctionArgs, ...includeState };

type EventQuery = {
  event_limit?: number;
  event_offset?: number;
  unanchored?: boolean;
  exclude_function_args?: boolean;
  include_state?: boolean;
};
const lookupOf = (query: EventQuery) => ({
  events: { limit: query.event_limit || 20, offset: query.event_offset ?? 0 },
  unanchored: query.unanchored === true,
  excludeFunctionArgs: query.exclude_function_args,
  withState: query.include_state,
});
const AnyTransaction = Type.Union([Transaction, MempoolTransaction]);

export const v1Tx: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/tx',
    {
      config: { freshness: 'tip', walk: { grows: 'top', when: query => !isFiltered(query) } },
      schema: {
        operationId: 'get_transaction_list',
        summary: 'List transactions',
        description:
          'Returns confirmed transactions, newest first unless `order` and `sort_by` say otherwise. All filters are ' +
          'combined with AND. `total` is exact without filters or with `type` alone. With other filters it is ' +
          'counted up to 100,000, and the response header `X-Cairn-Total: at-least` says that more transactions ' +
          'match. `status=pending` redirects to `/extended/v1/tx/mempool`. A page that would take unbounded work (a ' +
          'deep `offset`, or too many rows to sort) is rejected with status 400 and a message that says how to ' +
          `narrow the request. ${aboutFilteredPages(MOST_LISTED, 'transactions')}`,
        tags,
        querystring: Type.Object({
          ...walkedPageQuery(20, 50),
          ...transactionFilterQuery,
          type: Type.Optional(
            Type.Array(Type.Union(transactionTypes.map(type => Type.Literal(type))), {
              [COMMA_LIST]: true,
              description: 'Only transactions of these types.',
            }),
          ),
          ...unanchored,
          ...listFilters,
          ...excludeFunctionArgs,
          ...includeState,
        }),
        response: {
          200: FilteredPage(Transaction, 'FilteredTransactionPage'),
          ...redirected,
          400: ErrorBody,
          409: ForkBody,
        },
      },
    },
    async (request, reply) => {
      const { sql, query } = request;
      if (query.status === 'pending') return reply.redirect(pendingListOf(query));
      const limit = query.limit || 20;
      const offset = query.offset ?? 0;
      const options = { excludeFunctionArgs: query.exclude_function_args, withState: query.include_state };
      if (isFiltered(query)) {
        const filter = filteredListOf(query);
        const { rows, ...cursors } = await walkFiltered(request, start =>
          listFilteredTransactionKeys(sql, { filter, start, limit }),
        );
        return {
          limit,
          offset,
          total: null,
          results: await renderTransactionList(caches, sql, rows, options),
          ...cursors,
        };
      }
      const filter = {
        ...listFilterOf(query as ListQuery),
        ...(query.type && { payloadIds: query.type.flatMap(payloadIdsOf) }),
      };
      const { order = 'desc', sort_by: sortBy = 'block_height' } = query;
      const list = { filter, sortBy, order, limit, offset };
      const { total, atLeast, rows } = await listTransactions(sql, list, query.unanchored).catch(refuseUnbounded);
      const results = await renderTransactionList(caches, sql, rows, options);
      if (atLeast) reply.header(TOTAL_HEADER, 'at-least');
      return { limit, offset, total, results };
    },
  );

  app.get(
    '/extended/v1/tx/multiple',
    {
      config: { freshness: 'mempool', cost: 5 },
      schema: {
        operationId: 'get_tx_list_details',
        summary: 'Get several transactions',
        description:
          'Returns an object with one entry for each requested id. `found` is false for an id that is neither in a ' +
          'block nor in the mempool. Each transaction has the events that `event_limit` and `event_offset` select.',
        tags,
        querystring: Type.Object({
          tx_id: Type.Array(TransactionIdParam, {
            [COMMA_LIST]: true,
            description: 'Transaction ids in hex, with `0x`.',
          }),
          ...lookup,
        }),
        response: {
          200: Type.Record(
            Type.String(),
            Type.Union([
              Type.Object({ found: Type.Literal(true), result: AnyTransaction }),
              Type.Object({ found: Type.Literal(false), result: Type.Object({ tx_id: Type.String() }) }),
            ]),
          ),
        },
      },
    },
    async ({ sql, query }) => {
      const ids = [...new Set(query.tx_id)];
      if (ids.some(id => !id.startsWith('0x'))) throw badRequest('Hex string is missing the "0x" prefix');
      const found = await findTransactionsById(caches, sql, ids.map(transactionIdOf), lookupOf(query));
      return Object.fromEntries(
        ids.map(id => {
          const known = found.get(id.slice(2).toLowerCase());
          if (!known) return [id, { found: false as const, result: { tx_id: id } }];
          return [id, { found: true as const, result: known.body }];
        }),
      );
    },
  );

  app.get(
    '/extended/v1/tx/:tx_id',
    {
      preHandler: redirectTo0x('tx_id', { keepQuery: true }),
      config: { freshness: 'tx' },
      schema: {
        operationId: 'get_transaction_by_id',
        summary: 'Get a transaction',
        description:
          'Returns a confirmed, pending or dropped transaction, or one that only non-canonical blocks hold ' +
          '(`canonical: false`). A confirmed one has the events that `event_limit` and `event_offset` select. An id ' +
          'without `0x` is redirected to the one with it. The status is 404 if no block holds the transaction and ' +
          'no node has reported it.',
        tags,
        params: Type.Object({ tx_id: TransactionIdParam }),
        querystring: Type.Object(lookup),
        response: { 200: AnyTransaction, ...redirected, 404: ErrorBody },
      },
    },
    async ({ sql, params, query }, reply) => {
      const id = transactionIdOf(params.tx_id);
      const [known] = (await findTransactionsById(caches, sql, [id], lookupOf(query))).values();
      if (!known) throw notFound('could not find transaction by ID');
      return cacheUntilRollback(reply, known);
    },
  );

  app.get(
    '/extended/v1/tx/:tx_id/raw',
    {
      preHandler: redirectTo0x('tx_id'),
      config: { freshness: 'tx' },
      schema: {
        operationId: 'get_raw_transaction_by_id',
        summary: 'Get the raw bytes of a transaction',
        description:
          'Returns the serialized transaction in hex, confirmed or pending. The status is 404 if the transaction is ' +
          'unknown.',
        tags,
        params: Type.Object({ tx_id: TransactionIdParam }),
        querystring: Type.Object(eventRange),
        response: {
          200: Type.Object(
            { raw_tx: Type.String({ description: 'The serialized transaction in hex.' }) },
            { title: 'RawTransaction' },
          ),
          ...redirected,
          404: ErrorBody,
        },
      },
    },
    async ({ sql, params }, reply) => {
      const id = transactionIdOf(params.tx_id);
      const found = await inSnapshot(sql, snapshot => findRawTransaction(snapshot, id));
      if (!found) throw notFound('could not find raw transaction by ID');
      return cacheUntilRollback(reply, { body: { raw_tx: toHex(found.raw) }, height: found.height });
    },
  );
};
