import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { Nonces } from '../../../../schemas/principals/nonces.ts';
import { findAddressNonces } from '../../../../views/principals/nonces.ts';
import { asOfBlockIn, namedBlock, nonceBlockQuery } from '../../../params/nonce-block.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

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
