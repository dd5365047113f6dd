import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { RouteContext } from '../route-context.ts';

export const serviceHealthz: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'alive' }));
};
