import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { TransactionWithTransfersPage } from '../../../../schemas/principals/address-transaction.ts';
import { listTransactionsWithTransfers } from '../../../../views/principals/transaction-list.ts';
import { asOfAndHeightIn, blockQuery } from '../../../params/as-of.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const usual = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v1AddressTransactionsWithTransfers: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { sql, caches },
) => {
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
    async ({ params, query }) => {
      const account = { principal: principalOf(params.principal), ...asOfAndHeightIn(query) };
      return await listTransactionsWithTransfers(caches, sql, account, pageOf(query, usual));
    },
  );
};
