import type { FastifyInstance } from 'fastify';
import { serverVersion } from '../config/version.ts';
import { PublicError } from '../errors.ts';
import { contextOf, REQUEST_ID_HEADER } from './request-context.ts';

const EXPOSED =
  'X-API-Version, ETag, Retry-After, Warning, X-Stacks-Node, X-Stacks-Node-Height, X-Cairn-Source, X-Cairn-Incomplete, X-Cairn-Total, X-Cairn-Height, X-Request-Id';
const DEPRECATED = 'Deprecated: see /docs for what replaces this endpoint';

export const commonHeaders = {
  'x-api-version': serverVersion,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/**
 * Headers of every response: the version, access for pages of any origin, `no-store` until an ETag replaces it, and `nosniff`,
 * because responses contain texts that anybody can put on the chain.
 *
 * Written by hand, since the API is public and reads no cookies: `*` is always right, and no plugin has to think it over.
 */
export function addHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders).header(REQUEST_ID_HEADER, contextOf(request.raw).id);
    done();
  });
  app.options('/*', { schema: { hide: true } }, async (request, reply) => {
    const asked = request.headers['access-control-request-headers'];
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
        'access-control-allow-headers': asked ?? '*',
        'access-control-max-age': '86400',
      })
      .send();
  });
}

/** Marks deprecated routes with a Warning header, or ends them with 410 when the operator says so. */
export function markDeprecated(app: FastifyInstance, enabled: boolean): void {
  app.addHook('onRoute', route => {
    const deprecated = route.config?.deprecated;
    if (!deprecated) return;
    const text = typeof deprecated === 'string' ? deprecated : DEPRECATED;
    const gone = new PublicError(410, text, {
      error: 'Gone',
      message: `This endpoint has been disabled. ${text}`,
    });
    route.schema = { ...route.schema, deprecated: true };
    route.onRequest = [
      (_request, reply, done) => {
        reply.header('warning', `299 - "${text}"`);
        done(enabled ? undefined : gone);
      },
      ...[route.onRequest ?? []].flat(),
    ];
  });
}
