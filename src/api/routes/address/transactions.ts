import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../../errors.ts';
import { hasMoment } from '../../../queries/moments.ts';
import { findPrincipalTransaction, listPrincipalTransactions } from '../../../queries/principal-transactions.ts';
import {
  renderWithStx,
  TransactionWithStx,
  TransactionWithTransfersPage,
} from '../../../schemas/address-transaction.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { Page, pageOf, pageQuery } from '../../../schemas/page.ts';
import { renderTransaction, Transaction } from '../../../schemas/transaction.ts';
import { gatherWithTransfers } from '../../account-pieces.ts';
import { blockQuery, momentAndHeightIn, noSuchMoment } from '../../moment-param.ts';
import { PrincipalParam, principalOf } from '../../principal-param.ts';
import type { RouteContext } from '../../server.ts';
import { settle } from '../../settled.ts';
import { excludeFunctionArgs, transactionIdOf } from '../../transaction-param.ts';
import { gatherTransactions } from '../../transaction-pieces.ts';

const usual = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const addressTransactionRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, pieces }) => {
  app.get(
    '/extended/v1/address/:principal/transactions',
    {
      config: { freshness: 'principal', deprecated: true },
      schema: {
        operationId: 'get_account_transactions',
        summary: 'Transactions that touched an account, the newest first',
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

  app.get(
    '/extended/v1/address/:principal/transactions_with_transfers',
    {
      config: { freshness: 'principal', deprecated: true, cost: 5 },
      schema: {
        operationId: 'get_account_transactions_with_transfers',
        summary: 'The same with what each transaction moved for the account',
        tags,
        params,
        querystring: Type.Object({ ...pageQuery(usual, 50), ...blockQuery }),
        response: { 200: TransactionWithTransfersPage, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params: { principal }, query }) => {
      const page = pageOf(query, usual);
      const account = { principal: principalOf(principal), ...momentAndHeightIn(query) };
      const { total, rows, known } = await listPrincipalTransactions(sql, account, page, {
        hidden: 'none',
        byIndex: true,
      });
      if (!known && !(await hasMoment(sql, account.moment))) throw noSuchMoment(account.moment);
      return { ...page, total, results: await gatherWithTransfers(pieces, sql, account.principal, rows) };
    },
  );

  app.get(
    '/extended/v1/address/:principal/:tx_id/with_transfers',
    {
      config: { freshness: 'tx', deprecated: true, cost: 5 },
      schema: {
        operationId: 'get_single_transaction_with_transfers',
        summary: 'One transaction with the STX it moved for an account',
        tags,
        params: Type.Object({ principal: PrincipalParam, tx_id: Type.String() }),
        response: { 200: TransactionWithStx, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params: { principal, tx_id } }, reply) => {
      const account = principalOf(principal);
      // What is no id names no transaction: callers have always been told 404.
      const id = /^(0x)?[a-f0-9]{64}$/i.test(tx_id) ? transactionIdOf(tx_id) : undefined;
      const row = id && (await findPrincipalTransaction(sql, account, id));
      if (!row) throw notFound('No matching transaction found');
      settle(reply, row.height);
      return renderWithStx(row, renderTransaction(row), row.moves);
    },
  );
};
