import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { cacheUntilRollback } from '../../http/cache-until-rollback.ts';
import { ErrorBody } from '../../http/error-body.ts';
import {
  hasFilter,
  refuseBesideFilters,
  transactionFilterOf,
  transactionFilterQuery,
} from '../filters/filter-params.ts';
import { walkFiltered } from '../filters/filtered-walk-view.ts';
import { pageOf, pageQuery, renderPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { excludeFunctionArgs, TransactionIdParam, transactionIdOf } from '../transactions/transaction-params.ts';
import { AddressEventPage, renderAddressEvent } from './address-event-schema.ts';
import { AddressTransactionPage } from './address-transaction-schema.ts';
import { listMovesOf } from './asset-moves-queries.ts';
import { PrincipalParam } from './principal-params.ts';
import { listTransactionsWithCounts, renderWithCountsList } from './transaction-list-view.ts';
import { listFilteredPrincipalTransactions, MOST_TRANSACTIONS } from './transaction-steps-queries.ts';

const defaultLimit = 20;
const tags = ['Accounts'];

export const v2AddressesTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { caches, hasVersion9Keys },
) => {
  app.get(
    '/extended/v2/addresses/:address/transactions',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_address_transactions',
        summary: 'List the transactions of a principal',
        description:
          'Returns the transactions that involve the principal, newest first, each with the STX it moved for the ' +
          'principal and the number of its asset events. Pass `cursor` (empty for the first page), or send the ' +
          'header `X-API-Version: 9`, to receive `next_cursor` (newer page), `prev_cursor` (older page) and ' +
          '`cursor`. The status is 404 if the cursor is malformed or its block is no longer part of the chain. With a ' +
          'filter `total`, `next_cursor` and `cursor` are null, and `prev_cursor` goes on to older transactions until it is null; one ' +
          `request looks at up to ${MOST_TRANSACTIONS} transactions, so that a page may have fewer results than \`limit\`, or none. The ` +
          'status is 409 if a fork took the block with which such a walk began.',
        tags,
        params: Type.Object({ address: PrincipalParam }),
        querystring: Type.Object({
          ...pageQuery(defaultLimit, 50),
          cursor: Type.Optional(
            Type.String({
              description: 'Start of the page: a cursor of an earlier response, or empty for the newest page.',
            }),
          ),
          ...excludeFunctionArgs,
          ...transactionFilterQuery,
        }),
        response: { 200: AddressTransactionPage, 400: ErrorBody, 404: ErrorBody, 409: ForkBody },
      },
    },
    async request => {
      const {
        sql,
        params: { address },
        query,
      } = request;
      // This list has always taken a limit of 0 literally.
      const page = { limit: query.limit ?? defaultLimit, offset: query.offset ?? 0 };
      const account = { principal: principalOrUnknown(address), asOf: 'unanchored' } as const;
      const options = { excludeFunctionArgs: query.exclude_function_args };
      if (hasFilter(query)) {
        refuseBesideFilters(query);
        const filter = transactionFilterOf(query);
        const limit = query.limit || defaultLimit;
        const step = await walkFiltered(request, start =>
          listFilteredPrincipalTransactions(sql, { ...account, filter, start, limit, version: 'v2' }),
        );
        const results = await renderWithCountsList(caches, sql, account.principal, step.rows, options);
        // Of this list the older page has always been the one before.
        return {
          limit,
          offset: 0,
          total: null,
          next_cursor: null,
          prev_cursor: step.next_cursor,
          cursor: null,
          results,
        };
      }
      const cursor = query.cursor ?? (hasVersion9Keys(request) ? '' : undefined);
      return await listTransactionsWithCounts(caches, sql, account, page, cursor, options);
    },
  );

  app.get(
    '/extended/v2/addresses/:address/transactions/:tx_id/events',
    {
      config: { freshness: 'tx', walk: { grows: 'nowhere' } },
      schema: {
        operationId: 'get_address_transaction_events',
        summary: 'List the asset events of a transaction for a principal',
        description:
          'Returns the transfers, mints and burns of one transaction that involve the principal, ordered by ' +
          '`event_index`. The list is empty if the transaction moved nothing for the principal. The status is 404 ' +
          'if the transaction is unknown or pending.',
        tags,
        params: Type.Object({ address: PrincipalParam, tx_id: TransactionIdParam }),
        querystring: Type.Object(walkedPageQuery(defaultLimit, 50)),
        response: { 200: AddressEventPage, 400: ErrorBody, 404: ErrorBody, 409: ForkBody },
      },
    },
    async ({ sql, params: { address, tx_id }, query }, reply) => {
      const page = pageOf(query, defaultLimit);
      const events = await listMovesOf(sql, principalOrUnknown(address), transactionIdOf(tx_id), page);
      if (!events) throw notFound('Transaction not found');
      return cacheUntilRollback(reply, {
        body: renderPage(page, events, renderAddressEvent),
        height: events.rows[0]?.height,
      });
    },
  );
};
