import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { asOfAndHeightIn, blockQuery } from '../pages/as-of-params.ts';
import { assertBlockAsOf } from '../pages/page-errors.ts';
import { pageOf, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { TransactionWithTransfersPage } from './address-transaction-schema.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';
import { renderWithTransfersList } from './transaction-list-view.ts';
import { listPrincipalTransactions } from './transactions-queries.ts';

const defaultLimit = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v1AddressTransactionsWithTransfers: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/address/:principal/transactions_with_transfers',
    {
      config: { freshness: 'principal', deprecated: true, cost: 5, walk: { grows: 'top' } },
      schema: {
        operationId: 'get_account_transactions_with_transfers',
        summary: 'List the transactions of an account with their transfers',
        description:
          'Returns the transactions that involve the account, newest first, each with the STX, fungible tokens and ' +
          'NFTs that it moved for the account. Deprecated: use `/extended/v3/principals/{principal}/transactions`. ' +
          'The status is 404 if `until_block` names an unknown block.',
        tags,
        params,
        querystring: Type.Object({ ...walkedPageQuery(defaultLimit, 50), ...blockQuery }),
        response: { 200: TransactionWithTransfersPage, 400: ErrorBody, 404: ErrorBody, 409: ForkBody },
      },
    },
    async ({ sql, params, query }) => {
      const account = { principal: principalOf(params.principal), ...asOfAndHeightIn(query) };
      const page = pageOf(query, defaultLimit);
      const list = { hidden: 'none', byIndex: true } as const;
      const { total, rows, known } = await listPrincipalTransactions(sql, account, page, list);
      if (!known) await assertBlockAsOf(sql, account.asOf);
      return { ...page, total, results: await renderWithTransfersList(caches, sql, account.principal, rows) };
    },
  );
};
