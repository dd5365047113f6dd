import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';
import { NamespaceDetails, renderNamespace } from './name-details-schema.ts';
import { atBlock, LabelParam } from './name-params.ts';
import { findNamespace } from './namespaces-queries.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;
const { at_block, asOfAt } = atBlock;

export const v1Namespaces: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/namespaces/:namespace',
    {
      config,
      schema: {
        operationId: 'get_namespace_details',
        summary: 'Get a namespace',
        description:
          'Returns manager, name lifetime and price function of a namespace, as of the tip or after `at_block`. The ' +
          'status is 404 if the namespace is unknown.',
        tags,
        params: Type.Object({ namespace: LabelParam }),
        querystring: Type.Object({ at_block }),
        response: { 200: NamespaceDetails, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params: { namespace }, query }) => {
      const found = await findNamespace(sql, namespace, asOfAt(query.at_block));
      if (!found) throw notFound(`cannot find namespace ${namespace}`);
      return renderNamespace(found);
    },
  );
};
