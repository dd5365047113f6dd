import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { badRequest } from '../../errors.ts';
import type { RouteContext } from '../route-context.ts';
import { bnsQuery, isPrintable } from './bns-params.ts';
import { listNamesOf } from './lists-queries.ts';
import { NameError, OwnedNames } from './name-schema.ts';
import { listSubdomainsOf } from './subdomains-queries.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;

export const namesAddresses: FastifyPluginAsyncTypebox<RouteContext> = async app => {
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
    async ({ sql, params: { blockchain, address } }) => {
      if (blockchain !== 'stacks') throw badRequest('Unsupported blockchain');
      if (!isPrintable(address)) return { names: [] };
      const owner = principalOrUnknown(address);
      return await inSnapshot(sql, async snapshot => {
        const names = await listNamesOf(snapshot, owner);
        return { names: [...names, ...(await listSubdomainsOf(snapshot, address))].sort() };
      });
    },
  );
};
