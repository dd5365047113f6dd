import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { noBlockAsOf } from '../pages/page-errors.ts';
import type { RouteContext } from '../route-context.ts';
import { asOfBlockIn, namedBlock, nonceBlockQuery } from './nonce-block-params.ts';
import { findExecutedNonce, findNonces } from './nonces-queries.ts';
import { Nonces, renderNonces } from './nonces-schema.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';

export const v1AddressNonces: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/address/:principal/nonces',
    {
      config: { freshness: 'principal+mempool' },
      schema: {
        operationId: 'get_account_nonces',
        summary: 'Get the nonces of an account',
        description:
          'Returns the last used nonces and the next nonce to use. Without a block, pending transactions and ' +
          'unconfirmed microblocks are counted. With `block_height` or `block_hash` the response describes the ' +
          'state after that block, without the mempool; the status is 404 if there is no such block, and 400 if ' +
          'both are given. The transactions that the chain itself signs with the boot address count here; a node, ' +
          'and `/v2/accounts`, do not count them.',
        tags: ['Accounts'],
        params: Type.Object({ principal: PrincipalParam }),
        querystring: nonceBlockQuery,
        response: { 200: Nonces, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const principal = principalOf(params.principal);
      const asOf = asOfBlockIn(query);
      if (asOf === 'unanchored') {
        const { executed, pending } = await findNonces(sql, principal);
        return renderNonces(executed, pending);
      }
      const executed = await findExecutedNonce(sql, principal, asOf);
      if (!executed && query.at_block !== undefined) throw noBlockAsOf(asOf);
      const height = typeof asOf === 'object' && 'height' in asOf ? asOf.height : executed?.height;
      if (!executed || executed.height !== height) {
        throw notFound(`No block found for ${JSON.stringify(namedBlock(query))}`);
      }
      return renderNonces(executed.nonce, []);
    },
  );
};
