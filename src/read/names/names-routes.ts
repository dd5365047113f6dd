import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { zonefileText } from '../../chain/names/zonefile.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { redirected } from '../../http/hex-redirect.ts';
import { asOfAtBlock, atBlockQuery } from '../pages/at-block-params.ts';
import type { RouteContext } from '../route-context.ts';
import { BnsNameParam, bnsPageQuery, bnsQuery, isPrintable } from './bns-params.ts';
import { listNames } from './lists-queries.ts';
import { findLatestZonefile, findSubdomainZonefile, lookUpName } from './lookup-view.ts';
import { checkNamePage, nameError } from './name-errors.ts';
import { NameArray, NameError, NameInfo, Zonefile } from './name-schema.ts';
import { findZonefile } from './names-queries.ts';
import { listSubdomains } from './subdomains-queries.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;
const params = Type.Object({ name: BnsNameParam });

export const namesNames: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/v1/names',
    {
      config,
      schema: {
        operationId: 'get_all_names',
        summary: 'List names',
        description:
          'Returns all names in alphabetical order, 100 to a page. The status is 400 if the page lies beyond the ' +
          'last one.',
        tags,
        querystring: bnsPageQuery,
        response: { 200: NameArray, 400: NameError },
      },
    },
    async ({ sql, query: { page = 0 } }) => checkNamePage(await listNames(sql, page), page),
  );

  app.get(
    '/v1/names/:name',
    {
      config,
      schema: {
        operationId: 'get_name_info',
        summary: 'Get a name or a subdomain',
        description:
          'Returns owner, zonefile and lease. The status is 302 for an unknown subdomain whose parent names a ' +
          'resolver, and 404 if the name is not registered, revoked or burnt.',
        tags,
        params,
        querystring: Type.Object({ ...bnsQuery.properties, ...atBlockQuery }),
        response: { 200: NameInfo, ...redirected, 400: NameError, 404: NameError },
      },
    },
    async ({ sql, params: { name }, query, url }, reply) => {
      if (query.unanchored && query.at_block !== undefined)
        throw nameError(400, 'at_block cannot be combined with unanchored=true: give one of them');
      const asOf = asOfAtBlock(query.at_block, query.unanchored ? 'unanchored' : 'tip');
      const found = await lookUpName(sql, name, asOf);
      return 'info' in found ? found.info : reply.redirect(found.resolver.replace(/\/+$/, '') + url, 302);
    },
  );

  app.get(
    '/v1/names/:name/zonefile',
    {
      config,
      schema: {
        operationId: 'fetch_zone_file',
        summary: 'Get the zonefile of a name',
        description:
          'Returns the current zonefile. The status is 404 if the name is not registered or has no zonefile.',
        tags,
        params,
        querystring: bnsQuery,
        response: { 200: Zonefile, 404: NameError },
      },
    },
    async ({ sql, params }) => {
      const zonefile = await inSnapshot(sql, snapshot => findLatestZonefile(snapshot, params.name));
      if (zonefile === undefined) throw nameError(404, 'No such name or zonefile does not exist');
      return { zonefile };
    },
  );

  app.get(
    '/v1/names/:name/zonefile/:zoneFileHash',
    {
      config,
      schema: {
        operationId: 'get_historical_zone_file',
        summary: 'Get a zonefile of a name by hash',
        description:
          'Returns a current or former zonefile. The status is 404 if the name never had a zonefile with this hash.',
        tags,
        params: Type.Object({
          name: BnsNameParam,
          zoneFileHash: Type.String({ description: 'Hash of the zonefile in hex, with or without `0x`.' }),
        }),
        querystring: bnsQuery,
        response: { 200: Zonefile, 404: NameError },
      },
    },
    async ({ sql, params: { name, zoneFileHash } }) => {
      const digits = /^(?:0x)?((?:[0-9a-f]{2})+)$/i.exec(zoneFileHash)?.[1];
      const hash = digits !== undefined && isPrintable(name) ? Buffer.from(digits, 'hex') : undefined;
      const content = hash && ((await findZonefile(sql, name, hash)) ?? (await findSubdomainZonefile(sql, name, hash)));
      if (content === undefined) throw nameError(404, 'No such name or zonefile');
      return { zonefile: zonefileText(content) };
    },
  );

  app.get(
    '/v1/names/:name/subdomains',
    {
      config,
      schema: {
        operationId: 'fetch_subdomains_list_for_name',
        summary: 'List the subdomains of a name',
        description: 'Returns the subdomains in alphabetical order. The list is empty if the name is unknown.',
        tags,
        params,
        querystring: bnsQuery,
        response: { 200: NameArray },
      },
    },
    async ({ sql, params: { name } }) => (isPrintable(name) ? await listSubdomains(sql, name) : []),
  );
};
