import type { FastifyInstance, FastifyReply } from 'fastify';

/** A handler ended without a response, which Fastify would send as an empty 200. */
export class EmptyResponse extends Error {}

/**
 * Fails a handler that ends with nothing and has neither sent nor hijacked its reply. Must be registered before the hooks
 * that wrap handlers, because those await the handler of the route.
 */
export function rejectEmptyResponses(app: FastifyInstance): void {
  app.addHook('onRoute', route => {
    const { handler, method, url } = route;
    const check = (value: unknown, reply: FastifyReply) => {
      if (value !== undefined || isAnswered(reply)) return value;
      throw new EmptyResponse(
        `${method} ${url}: the handler ended without a response; it must return a value, or send or hijack the reply`,
      );
    };
    route.handler = function (request, reply) {
      const value = handler.call(this, request, reply);
      return value instanceof Promise ? value.then(each => check(each, reply)) : check(value, reply);
    };
  });
}

/** A client that has left needs no response. */
const isAnswered = (reply: FastifyReply) => reply.sent || reply.raw.headersSent || reply.raw.destroyed;
