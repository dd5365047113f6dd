import type { FastifyInstance, FastifyReply } from 'fastify';
import { PublicError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response stays open for as long as the client wants: it has limits of its own. */
    longLived?: boolean;
  }
}

/**
 * Refuses with 503 what arrives while `max` requests are being worked on, so that a flood fails fast instead of queueing.
 *
 * Cached responses never come this far and are always sent. Once a response is rendered, its request no longer counts: a
 * client that reads slowly does not block others.
 */
export function limitInFlight(app: FastifyInstance, max: number): void {
  let open = 0;
  app.addHook('onRoute', route => {
    if (route.config?.longLived) return;
    const { handler } = route;
    route.handler = function (request, reply) {
      if (open >= max) throw new PublicError(503, 'The service is busy; try again in a moment');
      open++;
      const release = once(() => {
        open--;
      });
      // A closed connection frees its slot even if the handler never ends.
      reply.raw.once('close', release);
      const value = handler.call(this, request, reply);
      if (!(value instanceof Promise)) return value;
      return value.finally(() => {
        if (!isUnderWay(reply)) release();
      });
    };
  });
}

/** What a handler sends by itself, such as the response of a node, may still be arriving. */
const isUnderWay = (reply: FastifyReply): boolean => reply.sent && !reply.raw.writableEnded;

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}
