import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { hasMoment } from '../../../../queries/pages/as-of.ts';
import { listPrincipalTransactions } from '../../../../queries/principals/transactions.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { Page, pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { Transaction } from '../../../../schemas/transactions/transaction.ts';
import { gatherTransactions } from '../../../../views/transactions/transaction-list.ts';
import { blockQuery, momentAndHeightIn, noSuchMoment } from '../../../params/as-of.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import { excludeFunctionArgs } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const usual = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v1AddressTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, pieces }) => {
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
          ...pageQuery(usual, 50),
          ...blockQuery,
          ...excludeFunctionArgs,
        }),
        response: { 200: Page(Transaction, 'TransactionPage'), 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params: { principal }, query }) => {
      const page = pageOf(query, usual);
      const account = { principal: principalOf(principal), ...momentAndHeightIn(query) };
      const options = { excludeFunctionArgs: query.exclude_function_args };
      const { total, rows, known } = await listPrincipalTransactions(sql, account, page, {
        hidden: 'all',
        direct: true,
      });
      if (!known && !(await hasMoment(sql, account.moment))) throw noSuchMoment(account.moment);
      return { ...page, total, results: await gatherTransactions(pieces, sql, rows, options) };
    },
  );
};
