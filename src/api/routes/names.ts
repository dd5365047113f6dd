import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { zonefileText } from '../../chain/names/zonefile.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { badRequest } from '../../errors.ts';
import { listNames, listNamesIn, listNamesOf } from '../../queries/names/lists.ts';
import { findZonefile } from '../../queries/names/names.ts';
import { findNamespace, listNamespaces } from '../../queries/names/namespaces.ts';
import { listSubdomains, listSubdomainsOf } from '../../queries/names/subdomains.ts';
import { NameArray, NameError, NameInfo, Namespaces, OwnedNames, Zonefile } from '../../schemas/names/name.ts';
import { findLatestZonefile, findSubdomainZonefile, lookUpName, nameError } from '../../views/names/lookup.ts';
import { loosePrincipalOf } from '../params/principal.ts';
import type { RouteContext } from '../server.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;
const name = Type.String({ description: 'A name with its namespace, or a subdomain.' });
const params = Type.Object({ name });
const unanchored = Type.Optional(
  Type.Boolean({ default: false, description: 'Count what is in microblocks that no block has confirmed yet.' }),
);
const page = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 20_000_000, default: 0, description: 'Pages of 100 names, counted from 0.' }),
);
const querystring = Type.Object({ unanchored });
const pageQuery = Type.Object({ unanchored, page });
const plain = (text: string) => /^[\x21-\x7e]+$/.test(text);

/** A page behind the last one is a mistake; the first may be empty. */
function checkPage(names: string[], page: number): string[] {
  if (names.length === 0 && page > 0) throw nameError(400, 'Invalid page');
  return names;
}

export const nameRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/v1/names',
    {
      config,
      schema: {
        operationId: 'get_all_names',
        summary: 'All names',
        tags,
        querystring: pageQuery,
        response: { 200: NameArray, 400: NameError },
      },
    },
    async ({ query: { page = 0 } }) => checkPage(await listNames(sql, page), page),
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
        querystring,
        response: { 200: NameInfo, 302: Type.Null(), 404: NameError },
      },
    },
    async ({ params: { name }, query, url }, reply) => {
      const moment = query.unanchored ? 'unanchored' : 'tip';
      const found = await inSnapshot(sql, sql => lookUpName(sql, name, moment));
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
        querystring,
        response: { 200: Zonefile, 404: NameError },
      },
    },
    async ({ params: { name } }) => {
      const zonefile = await inSnapshot(sql, sql => findLatestZonefile(sql, name));
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
        summary: 'A zonefile that a name has or had',
        tags,
        params: Type.Object({ name, zoneFileHash: Type.String({ description: 'Hex, with or without 0x.' }) }),
        querystring,
        response: { 200: Zonefile, 404: NameError },
      },
    },
    async ({ params: { name, zoneFileHash } }) => {
      const digits = /^(?:0x)?((?:[0-9a-f]{2})+)$/i.exec(zoneFileHash)?.[1];
      const hash = Buffer.from(digits ?? '', 'hex');
      const content =
        digits !== undefined && plain(name)
          ? ((await findZonefile(sql, name, hash)) ?? (await findSubdomainZonefile(sql, name, hash)))
          : undefined;
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
        summary: 'Subdomains of a name',
        tags,
        params,
        querystring,
        response: { 200: NameArray },
      },
    },
    async ({ params: { name } }) => (plain(name) ? await listSubdomains(sql, name) : []),
  );

  app.get(
    '/v1/addresses/:blockchain/:address',
    {
      config,
      schema: {
        operationId: 'get_names_owned_by_address',
        summary: 'Names and subdomains of an account',
        tags,
        params: Type.Object({ blockchain: Type.String({ description: 'Only `stacks`.' }), address: Type.String() }),
        querystring,
        response: { 200: OwnedNames, 400: NameError },
      },
    },
    async ({ params: { blockchain, address } }) => {
      if (blockchain !== 'stacks') throw badRequest('Unsupported blockchain');
      if (!plain(address)) return { names: [] };
      return await inSnapshot(sql, async sql => {
        const names = await listNamesOf(sql, loosePrincipalOf(address));
        return { names: [...names, ...(await listSubdomainsOf(sql, address))].sort() };
      });
    },
  );

  app.get(
    '/v1/namespaces',
    {
      config,
      schema: {
        operationId: 'get_all_namespaces',
        summary: 'All namespaces',
        tags,
        querystring,
        response: { 200: Namespaces },
      },
    },
    async () => ({ namespaces: await listNamespaces(sql) }),
  );

  app.get(
    '/v1/namespaces/:tld/names',
    {
      config,
      schema: {
        operationId: 'get_namespace_names',
        summary: 'Names of a namespace',
        tags,
        params: Type.Object({ tld: Type.String({ description: 'The namespace.' }) }),
        querystring: pageQuery,
        response: { 200: NameArray, 400: NameError },
      },
    },
    async ({ params: { tld }, query: { page = 0 } }) =>
      await inSnapshot(sql, async sql => {
        if (!plain(tld) || !(await findNamespace(sql, tld, 'tip'))) throw nameError(400, 'No such namespace');
        return checkPage(await listNamesIn(sql, tld, page), page);
      }),
  );
};
