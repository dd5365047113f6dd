import type { FastifyInstance, FastifyReply } from 'fastify';
import { serverVersion } from '../config/version.ts';
import { contextOf, REQUEST_ID_HEADER } from './request-context.ts';
import { nameHeight } from './served-height.ts';
import { namePosition } from './served-position.ts';
import type { Visit } from './visit.ts';

export const commonHeaders = {
  'x-api-version': serverVersion,
  'access-control-allow-origin': '*',
  // All of them: no request carries credentials, so `*` says it. The first one is what some clients look for.
  'access-control-expose-headers': 'X-API-Version, *',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** Headers of every response, and the answer to what browsers ask before a request of another origin. */
export function addHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    writeCommonHeaders({ request, reply });
    done();
  });
  answerPreflight(app);
}

/**
 * The headers of every response, and the height and the position of the tip. What is read later may show a higher tip: then it names
 * that height, and the position stays the one from which nothing is missing. Only the first call writes: a refusal may come before
 * the stage that does it for all others.
 */
export function writeHeaders(visit: Visit): void {
  if (visit.hasHeaders) return;
  visit.hasHeaders = true;
  writeCommonHeaders(visit);
  nameHeight(visit);
  namePosition(visit);
}

/**
 * Headers of every response: the version, access for pages of any origin, `no-store` until an ETag replaces it, and `nosniff`,
 * because responses contain texts that anybody can put on the chain.
 *
 * Written by hand, since the API is public and reads no cookies: `*` is always right, and no plugin has to think it over.
 */
function writeCommonHeaders({ request, reply }: Pick<Visit, 'request' | 'reply'>): void {
  reply.headers(commonHeaders).header(REQUEST_ID_HEADER, contextOf(request.raw).id);
}

/** The headers of a reply as `writeHead` takes them, names and values alternating, without some. */
export function listHeaders(reply: FastifyReply, without: ReadonlySet<string>): string[] {
  const headers = reply.getHeaders();
  const list: string[] = [];
  for (const name in headers) if (!without.has(name)) list.push(name, String(headers[name]));
  return list;
}

/** Responds to what browsers ask before a request of another origin. */
export function answerPreflight(app: FastifyInstance): void {
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
