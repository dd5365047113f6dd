import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../schemas/error.ts';
import { NamespaceDetails } from '../../../schemas/names/name-details.ts';
import { findNamespaceDetails } from '../../../views/names/lists.ts';
import { atBlock, LabelParam } from '../../params/name.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;
const { at_block, asOfAt } = atBlock;

export const v1Namespaces: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v1/namespaces/:namespace',
    {
      config,
      schema: {
        operationId: 'get_namespace_details',
        summary: 'A namespace: manager, lifetime and price function, now or at a block',
        tags,
        params: Type.Object({ namespace: LabelParam }),
        querystring: Type.Object({ at_block }),
        response: { 200: NamespaceDetails, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params, query }) => findNamespaceDetails(sql, params.namespace, asOfAt(query.at_block)),
  );
};
