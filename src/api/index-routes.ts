import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { serverVersion } from '../config/version.ts';
import { databaseUnavailable } from '../errors.ts';
import { renderServerStatus, ServerStatus } from '../read/status/status-schema.ts';
import type { ApiContext } from './api-context.ts';
import { acceptsHtml, sendPage } from './explorer/pages.ts';

export const serviceIndex: FastifyPluginAsyncTypebox<ApiContext> = async (app, { tip, explorer }) => {
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    if (explorer && acceptsHtml(request)) return sendPage(request, reply, explorer);
    return reply.header('vary', 'accept').redirect('/extended', 302);
  });

  app.get(
    '/extended',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_status',
        summary: 'Get the status',
        description:
          'Returns the version of the service and the chain tip. The status is 503 while the database is ' +
          'unavailable.',
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
