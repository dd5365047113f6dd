import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { PrincipalNonces } from '../../../../schemas/principals/nonces.ts';
import { findPrincipalNonces } from '../../../../views/principals/nonces.ts';
import { loosePrincipalOf, WholeAccountParam } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

export const v3PrincipalsNonces: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v3/principals/:principal/nonces',
    {
      config: { freshness: 'principal+mempool' },
      schema: {
        operationId: 'get_principal_nonces',
        summary: 'The nonces an account has used and the next one to use',
        tags: ['Accounts'],
        params: Type.Object({ principal: WholeAccountParam }),
        response: { 200: PrincipalNonces },
      },
    },
    async ({ params }) => findPrincipalNonces(sql, loosePrincipalOf(params.principal)),
  );
};
