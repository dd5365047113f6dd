import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { limitBodyBytes } from '../byte-budget.ts';
import type { ForwardedService } from './forwarded-service.ts';

/** Routes below the prefixes of services that are forwarded: reads, and the polls of Socket.IO. */
export function forwardRoutes(services: readonly ForwardedService[], bodyLimit: number) {
  return async (app: FastifyInstance): Promise<void> => {
    limitBodyBytes(app, bodyLimit);
    const shared = { schema: { hide: true }, config: { freshness: 'none' } as const };
    for (const service of services) {
      const { prefix } = service.options;
      const handler = (request: FastifyRequest, reply: FastifyReply) => {
        const target = service.targetOf(request.raw.url ?? '/');
        const body = Buffer.isBuffer(request.body) ? request.body : null;
        const own = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
        reply.hijack();
        service.pass(target, { request: request.raw, response: reply.raw, body, own });
      };
      for (const url of [prefix, `${prefix}/*`]) app.route({ ...shared, method: 'GET', url, handler });
      for (const url of [`${prefix}/socket.io`, `${prefix}/socket.io/*`]) {
        app.route({ ...shared, method: 'POST', url, handler });
      }
    }
  };
}
