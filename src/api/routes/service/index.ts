import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { databaseUnavailable } from '../../../errors.ts';
import { renderServerStatus, ServerStatus } from '../../../schemas/status/status.ts';
import { serverVersion } from '../../../version.ts';
import type { RouteContext } from '../../route-context.ts';

export const serviceIndex: FastifyPluginAsyncTypebox<RouteContext> = async (app, { tip }) => {
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/extended', 301));

  app.get(
    '/extended',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_status',
        summary: 'Version of the service and tip of the chain',
        tags: ['Status'],
        response: { 200: ServerStatus },
      },
    },
    async () => {
      if (!tip.current) throw databaseUnavailable();
      return renderServerStatus(tip.current, serverVersion);
    },
  );
};
