import type { FastifyInstance } from 'fastify';
import { PublicError } from '../errors.ts';

/**
 * Refuses with 503 what arrives while `max` requests are being worked on, so that a flood fails fast instead of queueing.
 *
 * Kept answers never come this far and are always sent.
 */
export function limitInFlight(app: FastifyInstance, max: number): void {
  let open = 0;
  app.addHook('preHandler', (_request, reply, done) => {
    if (open >= max) return done(new PublicError(503, 'The service is busy; try again in a moment'));
    open++;
    reply.raw.once('close', () => {
      open--;
    });
    done();
  });
}
