import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { RouteContext } from '../route-context.ts';
import { checkReadiness } from './readiness.ts';

export const serviceReadyz: FastifyPluginAsyncTypebox<RouteContext> = async (app, context) => {
  const { pool, tip, readyMaxLag, readiness, conditions } = context;

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const { status, body } = await checkReadiness({
      sql: pool,
      tip,
      readyMaxLag,
      conditions,
      ...(readiness && { checks: readiness }),
    });
    if (status === 503) reply.header('retry-after', '2');
    return reply.code(status).send(body);
  });
};
