import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { listMempool, newestFirst } from '../mempool/mempool-queries.ts';
import { MempoolTransaction, renderMempoolTransaction } from '../mempool/mempool-transaction-schema.ts';
import { Page, pageOf, pageQuery, renderPage } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { excludeFunctionArgs, unanchored } from '../transactions/transaction-params.ts';
import { listNonceChain } from './nonce-chain-queries.ts';
import { NonceChain, renderNonceChain } from './nonce-chain-schema.ts';
import { findExecutedNonce } from './nonces-queries.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';

const tags = ['Mempool'];
const MempoolPage = Page(MempoolTransaction, 'MempoolTransactionPage');

export const v1AddressMempool: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/address/:principal/mempool',
    {
      config: { freshness: 'principal+mempool' },
      schema: {
        operationId: 'get_address_mempool_transactions',
        summary: 'List the pending transactions of a principal',
        description:
          'Returns the pending transactions that the principal sends, or whose recipient or called contract it is, ' +
          'newest first.',
        tags,
        params: Type.Object({ principal: PrincipalParam }),
        querystring: Type.Object({ ...pageQuery(20, 50), ...unanchored, ...excludeFunctionArgs }),
        response: { 200: MempoolPage, 400: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const address = principalOf(params.principal, 'Invalid query parameter, not a valid principal');
      const page = pageOf(query, 20);
      const listed = await listMempool(sql, { address }, page, newestFirst, caches.interfaces);
      const options = { excludeFunctionArgs: query.exclude_function_args };
      return renderPage(page, listed, row => renderMempoolTransaction(row, options));
    },
  );

  app.get(
    '/extended/v1/address/:principal/mempool/nonces',
    {
      config: { freshness: 'principal+mempool' },
      schema: {
        operationId: 'get_account_nonce_chain',
        summary: 'Get the pending nonces of an account',
        description:
          'Returns the pending transactions of the account ordered by nonce, with the nonces that are missing and ' +
          'therefore keep later transactions from being mined.',
        tags,
        params: Type.Object({ principal: PrincipalParam }),
        response: { 200: NonceChain, 400: ErrorBody },
      },
    },
    async ({ sql, params }) => {
      const principal = principalOf(params.principal);
      return await inSnapshot(sql, async snapshot => {
        const executed = await findExecutedNonce(snapshot, principal, 'unanchored');
        return renderNonceChain(executed?.nonce ?? null, await listNonceChain(snapshot, principal));
      });
    },
  );
};
