import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../../../db/pool/snapshot.ts';
import { listMempool } from '../../../../queries/mempool/mempool.ts';
import { listNonceChain } from '../../../../queries/principals/nonce-chain.ts';
import { findExecutedNonce } from '../../../../queries/principals/nonces.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { MempoolTransaction, renderMempoolTransaction } from '../../../../schemas/mempool/mempool-transaction.ts';
import { Page, pageQuery } from '../../../../schemas/pages/page.ts';
import { NonceChain, renderNonceChain } from '../../../../schemas/principals/nonce-chain.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import { excludeFunctionArgs, unanchored } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Mempool'];
const MempoolPage = Page(MempoolTransaction, 'MempoolTransactionPage');

export const v1AddressMempool: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql: pool }) => {
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
    async ({ params, query }) => {
      const address = principalOf(params.principal, 'Invalid query parameter, not a valid principal');
      const page = { limit: query.limit || 20, offset: query.offset ?? 0 };
      const { total, rows } = await listMempool(pool, { address }, page);
      const options = { excludeFunctionArgs: query.exclude_function_args };
      return { ...page, total, results: rows.map(row => renderMempoolTransaction(row, options)) };
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
    async ({ params }) => {
      const account = principalOf(params.principal);
      return await inSnapshot(pool, async sql => {
        const executed = await findExecutedNonce(sql, account, 'unanchored');
        return renderNonceChain(executed?.nonce ?? null, await listNonceChain(sql, account));
      });
    },
  );
};
