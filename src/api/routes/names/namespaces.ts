import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { NameArray, NameError, Namespaces } from '../../../schemas/names/name.ts';
import { listNamesInNamespace, listNamespaces } from '../../../views/names/lists.ts';
import { nameError } from '../../../views/names/lookup.ts';
import { bnsPageQuery, bnsQuery, isPrintable } from '../../params/bns.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;

export const namesNamespaces: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/v1/namespaces',
    {
      config,
      schema: {
        operationId: 'get_all_namespaces',
        summary: 'All namespaces',
        tags,
        querystring: bnsQuery,
        response: { 200: Namespaces },
      },
    },
    () => listNamespaces(sql),
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
        querystring: bnsPageQuery,
        response: { 200: NameArray, 400: NameError },
      },
    },
    async ({ params: { tld }, query: { page = 0 } }) => {
      if (!isPrintable(tld)) throw nameError(400, 'No such namespace');
      return await listNamesInNamespace(sql, tld, page);
    },
  );
};
