import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { asOfAtBlock, atBlockQuery } from '../pages/at-block-params.ts';
import { noBlockAsOf } from '../pages/page-errors.ts';
import type { RouteContext } from '../route-context.ts';
import { findExecutedNonce, findNonces } from './nonces-queries.ts';
import { PrincipalNonces, renderPrincipalNonces } from './nonces-schema.ts';
import { ExactAccountParam } from './principal-params.ts';

export const v3PrincipalsNonces: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v3/principals/:principal/nonces',
    {
      config: { freshness: 'principal+mempool' },
      schema: {
        operationId: 'get_principal_nonces',
        summary: 'Get the nonces of an account',
        description:
          'Returns the last used nonces and the next nonce to use, with pending transactions counted, except with `at_block`. The transactions ' +
          'that the chain itself signs with the boot address count here; a node, and `/v2/accounts`, do not count them.',
        tags: ['Accounts'],
        params: Type.Object({ principal: ExactAccountParam }),
        querystring: Type.Object(atBlockQuery),
        response: { 200: PrincipalNonces, 404: ErrorBody },
      },
    },
    async ({ sql, params, query: { at_block } }) => {
      if (at_block !== undefined) {
        const asOf = asOfAtBlock(at_block);
        const past = await findExecutedNonce(sql, principalOrUnknown(params.principal), asOf);
        if (!past) throw noBlockAsOf(asOf);
        return renderPrincipalNonces(past.nonce, []);
      }
      const { executed, pending } = await findNonces(sql, principalOrUnknown(params.principal));
      return renderPrincipalNonces(executed, pending);
    },
  );
};
