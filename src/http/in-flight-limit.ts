import type { FastifyInstance } from 'fastify';
import { charge } from './limits/admission.ts';
import { Places } from './places.ts';
import type { Visit } from './visit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response stays open for as long as the client wants: it has limits of its own. */
    longLived?: boolean;
  }
}

/**
 * Refuses with 503 what arrives while too many requests are being worked on. Cached responses never come this far and are
 * always sent. A client pays for a list first. Once a response is rendered, its request no longer counts: a client that reads slowly does not block others.
 */
export function takePlace(visit: Visit): void {
  charge(visit);
  if (visit.route.longLived) return;
  visit.service.places.take();
  visit.hold();
}

/** Limits the requests in flight of an app without stages: a request counts until its response is complete. */
export function limitInFlight(app: FastifyInstance, max: number): void {
  const places = new Places(max);
  app.addHook('preHandler', (_request, reply, done) => {
    places.take();
    reply.raw.once('close', () => places.leave());
    done();
  });
}
