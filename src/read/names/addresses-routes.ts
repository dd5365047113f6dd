import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOrUnknown } from '../../codec/address/principal.ts';
import { badRequest } from '../../errors.ts';
import type { RouteContext } from '../route-context.ts';
import { bnsQuery, isPrintable } from './bns-params.ts';
import { listNamesAndSubdomains } from './lists-view.ts';
import { NameError, OwnedNames } from './name-schema.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;

export const namesAddresses: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/v1/addresses/:blockchain/:address',
    {
      config,
      schema: {
        operationId: 'get_names_owned_by_address',
        summary: 'List the names of an address',
        description:
          'Returns the names and subdomains that the address owns, in alphabetical order. The status is 400 for a ' +
          'blockchain other than `stacks`.',
        tags,
        params: Type.Object({
          blockchain: Type.String({ description: 'Only `stacks` is supported.' }),
          address: Type.String({ description: 'A Stacks address.' }),
        }),
        querystring: bnsQuery,
        response: { 200: OwnedNames, 400: NameError },
      },
    },
    async ({ params: { blockchain, address } }) => {
      if (blockchain !== 'stacks') throw badRequest('Unsupported blockchain');
      return isPrintable(address)
        ? await listNamesAndSubdomains(sql, principalOrUnknown(address), address)
        : { names: [] };
    },
  );
};
