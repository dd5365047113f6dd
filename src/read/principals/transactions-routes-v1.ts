import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import {
  hasFilter,
  refuseBesideFilters,
  transactionFilterOf,
  transactionFilterQuery,
} from '../filters/filter-params.ts';
import { aboutFilteredPages } from '../filters/filtered-page-schema.ts';
import { walkFiltered } from '../filters/filtered-walk-view.ts';
import { asOfAndHeightIn, blockQuery } from '../pages/as-of-params.ts';
import { assertBlockAsOf } from '../pages/page-errors.ts';
import { FilteredPage, pageOf, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { renderTransactionList } from '../transactions/transaction-list-view.ts';
import { excludeFunctionArgs } from '../transactions/transaction-params.ts';
import { Transaction } from '../transactions/transaction-schema.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';
import { listFilteredPrincipalTransactions, MOST_TRANSACTIONS } from './transaction-steps-queries.ts';
import { listPrincipalTransactions } from './transactions-queries.ts';

const defaultLimit = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v1AddressTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/address/:principal/transactions',
    {
      config: { freshness: 'principal', deprecated: true, walk: { grows: 'top', when: query => !hasFilter(query) } },
      schema: {
        operationId: 'get_account_transactions',
        summary: 'List the transactions of an account',
        description:
          'Returns the transactions that involve the account, newest first, without those that only moved tokens ' +
          'for it. Deprecated: use `/extended/v3/principals/{principal}/transactions`. The status is 404 if ' +
          `\`until_block\` names an unknown block. ${aboutFilteredPages(MOST_TRANSACTIONS, 'transactions of the account')}`,
        tags,
        params,
        querystring: Type.Object({
          ...walkedPageQuery(defaultLimit, 50),
          ...transactionFilterQuery,
          ...blockQuery,
          ...excludeFunctionArgs,
        }),
        response: {
          200: FilteredPage(Transaction, 'FilteredTransactionPage'),
          400: ErrorBody,
          404: ErrorBody,
          409: ForkBody,
        },
      },
    },
    async request => {
      const { sql, params, query } = request;
      const account = { principal: principalOf(params.principal), ...asOfAndHeightIn(query) };
      const options = { excludeFunctionArgs: query.exclude_function_args };
      const page = pageOf(query, defaultLimit);
      if (hasFilter(query)) {
        refuseBesideFilters(query);
        const filter = transactionFilterOf(query);
        const { rows, ...cursors } = await walkFiltered(request, start =>
          listFilteredPrincipalTransactions(sql, { ...account, filter, start, limit: page.limit, version: 'v1' }),
        );
        return { ...page, total: null, results: await renderTransactionList(caches, sql, rows, options), ...cursors };
      }
      const list = { hidden: 'all', direct: true } as const;
      const { total, rows, known } = await listPrincipalTransactions(sql, account, page, list);
      if (!known) await assertBlockAsOf(sql, account.asOf);
      return { ...page, total, results: await renderTransactionList(caches, sql, rows, options) };
    },
  );
};
