import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { PublicError } from '../errors.ts';

/** Bytes of bodies that may be held at once, whatever their number. */
const MOST_BYTES = 256 << 20;

/** Takes bodies as bytes of any type, and refuses with 503 those for which there is no memory at the moment. */
export function limitBodyBytes(app: FastifyInstance, bodyLimit: number): void {
  let held = 0;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
  const reserve = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const { method, headers } = request.raw;
    if (method !== 'POST') return done();
    // A body without a length may become as long as is allowed.
    const size = Math.min(Number(headers['content-length'] ?? bodyLimit), bodyLimit);
    if (held + size > Math.max(MOST_BYTES, bodyLimit)) {
      return done(new PublicError(503, 'The service is busy; try again in a moment'));
    }
    held += size;
    reply.raw.once('close', () => {
      held -= size;
    });
    done();
  };
  app.addHook('onRoute', route => {
    if ([route.method].flat().includes('POST')) route.onRequest = [...[route.onRequest ?? []].flat(), reserve];
  });
}
