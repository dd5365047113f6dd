import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { PublicError } from '../errors.ts';

/** Maximum bytes of request bodies in memory at the same time. */
const MAX_BYTES = 256 << 20;

/** Reads bodies of any type as bytes, and rejects with 503 those that exceed the byte budget. */
export function limitBodyBytes(app: FastifyInstance, bodyLimit: number): void {
  let held = 0;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
  const reserve = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const { method, headers } = request.raw;
    if (method !== 'POST') return done();
    // A body without a length may reach the maximum size.
    const size = Math.min(Number(headers['content-length'] ?? bodyLimit), bodyLimit);
    if (held + size > Math.max(MAX_BYTES, bodyLimit)) {
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
