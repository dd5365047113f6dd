import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { RouteContext } from '../route-context.ts';
import { bnsPageQuery, bnsQuery, isPrintable } from './bns-params.ts';
import { listNamesIn } from './lists-queries.ts';
import { checkNamePage, nameError } from './name-errors.ts';
import { NameArray, NameError, Namespaces } from './name-schema.ts';
import { findNamespace, listNamespaces } from './namespaces-queries.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;

export const namesNamespaces: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/v1/namespaces',
    {
      config,
      schema: {
        operationId: 'get_all_namespaces',
        summary: 'List namespaces',
        description: 'Returns all namespaces in alphabetical order.',
        tags,
        querystring: bnsQuery,
        response: { 200: Namespaces },
      },
    },
    async ({ sql }) => ({ namespaces: await listNamespaces(sql) }),
  );

  app.get(
    '/v1/namespaces/:tld/names',
    {
      config,
      schema: {
        operationId: 'get_namespace_names',
        summary: 'List the names of a namespace',
        description:
          'Returns the names in alphabetical order, 100 to a page. The status is 400 if the namespace is unknown or ' +
          'the page lies beyond the last one.',
        tags,
        params: Type.Object({ tld: Type.String({ description: 'A namespace, such as `btc`.' }) }),
        querystring: bnsPageQuery,
        response: { 200: NameArray, 400: NameError },
      },
    },
    async ({ sql, params: { tld }, query: { page = 0 } }) => {
      if (!isPrintable(tld)) throw nameError(400, 'No such namespace');
      return await inSnapshot(sql, async snapshot => {
        if (!(await findNamespace(snapshot, tld, 'tip'))) throw nameError(400, 'No such namespace');
        return checkNamePage(await listNamesIn(snapshot, tld, page), page);
      });
    },
  );
};
