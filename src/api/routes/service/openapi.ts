import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { openApiOf } from '../../docs/openapi.ts';
import type { RouteContext } from '../../route-context.ts';

/** The OpenAPI document, generated on the first request. */
export const serviceOpenapi: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  let document: string | undefined;

  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= `${JSON.stringify(openApiOf(app), null, 2)}\n`;
    return reply.type('application/json; charset=utf-8').send(document);
  });
};
