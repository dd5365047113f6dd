import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { asOfAndHeightIn, blockQuery } from '../pages/as-of-params.ts';
import { assertBlockAsOf } from '../pages/page-errors.ts';
import { Page, pageOf, pageQuery } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { renderTransactionList } from '../transactions/transaction-list-view.ts';
import { excludeFunctionArgs } from '../transactions/transaction-params.ts';
import { Transaction } from '../transactions/transaction-schema.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';
import { listPrincipalTransactions } from './transactions-queries.ts';

const defaultLimit = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v1AddressTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/address/:principal/transactions',
    {
      config: { freshness: 'principal', deprecated: true },
      schema: {
        operationId: 'get_account_transactions',
        summary: 'List the transactions of an account',
        description:
          'Returns the transactions that involve the account, newest first, without those that only moved tokens ' +
          'for it. Deprecated: use `/extended/v3/principals/{principal}/transactions`. The status is 404 if ' +
          '`until_block` names an unknown block.',
        tags,
        params,
        querystring: Type.Object({
          ...pageQuery(defaultLimit, 50),
          ...blockQuery,
          ...excludeFunctionArgs,
        }),
        response: { 200: Page(Transaction, 'TransactionPage'), 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const account = { principal: principalOf(params.principal), ...asOfAndHeightIn(query) };
      const options = { excludeFunctionArgs: query.exclude_function_args };
      const page = pageOf(query, defaultLimit);
      const list = { hidden: 'all', direct: true } as const;
      const { total, rows, known } = await listPrincipalTransactions(sql, account, page, list);
      if (!known) await assertBlockAsOf(sql, account.asOf);
      return { ...page, total, results: await renderTransactionList(caches, sql, rows, options) };
    },
  );
};
