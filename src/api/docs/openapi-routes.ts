import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiContext } from '../api-context.ts';
import { openApiOf } from './openapi.ts';

/** The OpenAPI document, generated on the first request. */
export const serviceOpenapi: FastifyPluginAsyncTypebox<ApiContext> = async app => {
  let document: string | undefined;

  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= `${JSON.stringify(openApiOf(app), null, 2)}\n`;
    return reply.type('application/json; charset=utf-8').send(document);
  });
};
