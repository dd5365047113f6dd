import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';
import { asOfBlockIn, namedBlock, nonceBlockQuery } from './nonce-block-params.ts';
import { Nonces } from './nonces-schema.ts';
import { findAddressNonces } from './nonces-view.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';

export const v1AddressNonces: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
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
          'both are given.',
        tags: ['Accounts'],
        params: Type.Object({ principal: PrincipalParam }),
        querystring: nonceBlockQuery,
        response: { 200: Nonces, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params, query }) =>
      findAddressNonces(sql, principalOf(params.principal), asOfBlockIn(query), namedBlock(query)),
  );
};
