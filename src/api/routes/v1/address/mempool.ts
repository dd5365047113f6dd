import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { MempoolTransaction } from '../../../../schemas/mempool/mempool-transaction.ts';
import { Page, pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { NonceChain } from '../../../../schemas/principals/nonce-chain.ts';
import { listPendingTransactions } from '../../../../views/mempool/mempool-list.ts';
import { findNonceChain } from '../../../../views/principals/nonces.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import { excludeFunctionArgs, unanchored } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Mempool'];
const MempoolPage = Page(MempoolTransaction, 'MempoolTransactionPage');

export const v1AddressMempool: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/address/:principal/mempool',
    {
      config: { freshness: 'principal+mempool' },
      schema: {
        operationId: 'get_address_mempool_transactions',
        summary: 'Pending transactions from or for a principal, newest first',
        tags,
        params: Type.Object({ principal: PrincipalParam }),
        querystring: Type.Object({ ...pageQuery(20, 50), ...unanchored, ...excludeFunctionArgs }),
        response: { 200: MempoolPage, 400: ErrorBody },
      },
    },
    async ({ params, query }) => {
      const address = principalOf(params.principal, 'Invalid query parameter, not a valid principal');
      const options = { filter: { address }, excludeFunctionArgs: query.exclude_function_args };
      return await listPendingTransactions(caches, sql, pageOf(query, 20), options);
    },
  );

  app.get(
    '/extended/v1/address/:principal/mempool/nonces',
    {
      config: { freshness: 'principal+mempool' },
      schema: {
        operationId: 'get_account_nonce_chain',
        summary: 'Pending transactions of an account by nonce, and what holds them up',
        tags,
        params: Type.Object({ principal: PrincipalParam }),
        response: { 200: NonceChain, 400: ErrorBody },
      },
    },
    async ({ params }) => findNonceChain(sql, principalOf(params.principal)),
  );
};
