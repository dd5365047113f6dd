import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { NameArray, NameError, NameInfo, Zonefile } from '../../../schemas/names/name.ts';
import { listNames, listSubdomains } from '../../../views/names/lists.ts';
import { lookUpName } from '../../../views/names/lookup.ts';
import { findCurrentZonefile, findZonefile } from '../../../views/names/zonefiles.ts';
import { BnsNameParam, bnsPageQuery, bnsQuery, isPrintable } from '../../params/bns.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;
const params = Type.Object({ name: BnsNameParam });

export const namesNames: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/v1/names',
    {
      config,
      schema: {
        operationId: 'get_all_names',
        summary: 'All names',
        tags,
        querystring: bnsPageQuery,
        response: { 200: NameArray, 400: NameError },
      },
    },
    ({ query: { page = 0 } }) => listNames(sql, page),
  );

  app.get(
    '/v1/names/:name',
    {
      config,
      schema: {
        operationId: 'get_name_info',
        summary: 'A name or a subdomain; an unknown subdomain leads to the resolver of its name',
        tags,
        params,
        querystring: bnsQuery,
        response: { 200: NameInfo, 302: Type.Null(), 404: NameError },
      },
    },
    async ({ params: { name }, query, url }, reply) => {
      const found = await lookUpName(sql, name, query.unanchored ? 'unanchored' : 'tip');
      return 'info' in found ? found.info : reply.redirect(found.resolver.replace(/\/+$/, '') + url, 302);
    },
  );

  app.get(
    '/v1/names/:name/zonefile',
    {
      config,
      schema: {
        operationId: 'fetch_zone_file',
        summary: 'The zonefile of a name',
        tags,
        params,
        querystring: bnsQuery,
        response: { 200: Zonefile, 404: NameError },
      },
    },
    ({ params }) => findCurrentZonefile(sql, params.name),
  );

  app.get(
    '/v1/names/:name/zonefile/:zoneFileHash',
    {
      config,
      schema: {
        operationId: 'get_historical_zone_file',
        summary: 'A zonefile that a name has or had',
        tags,
        params: Type.Object({
          name: BnsNameParam,
          zoneFileHash: Type.String({ description: 'Hex, with or without 0x.' }),
        }),
        querystring: bnsQuery,
        response: { 200: Zonefile, 404: NameError },
      },
    },
    ({ params: { name, zoneFileHash } }) => {
      const digits = /^(?:0x)?((?:[0-9a-f]{2})+)$/i.exec(zoneFileHash)?.[1];
      const hash = digits !== undefined && isPrintable(name) ? Buffer.from(digits, 'hex') : undefined;
      return findZonefile(sql, name, hash);
    },
  );

  app.get(
    '/v1/names/:name/subdomains',
    {
      config,
      schema: {
        operationId: 'fetch_subdomains_list_for_name',
        summary: 'Subdomains of a name',
        tags,
        params,
        querystring: bnsQuery,
        response: { 200: NameArray },
      },
    },
    async ({ params: { name } }) => (isPrintable(name) ? await listSubdomains(sql, name) : []),
  );
};
