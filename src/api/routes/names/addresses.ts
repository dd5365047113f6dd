import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest } from '../../../errors.ts';
import { NameError, OwnedNames } from '../../../schemas/names/name.ts';
import { listNamesAndSubdomains } from '../../../views/names/lists.ts';
import { bnsQuery, isPrintable } from '../../params/bns.ts';
import { loosePrincipalOf } from '../../params/principal.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;

export const namesAddresses: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/v1/addresses/:blockchain/:address',
    {
      config,
      schema: {
        operationId: 'get_names_owned_by_address',
        summary: 'Names and subdomains of an account',
        tags,
        params: Type.Object({ blockchain: Type.String({ description: 'Only `stacks`.' }), address: Type.String() }),
        querystring: bnsQuery,
        response: { 200: OwnedNames, 400: NameError },
      },
    },
    async ({ params: { blockchain, address } }) => {
      if (blockchain !== 'stacks') throw badRequest('Unsupported blockchain');
      return isPrintable(address)
        ? await listNamesAndSubdomains(sql, loosePrincipalOf(address), address)
        : { names: [] };
    },
  );
};
