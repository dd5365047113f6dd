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
        summary: 'The last nonces an account used and the next one to use',
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
