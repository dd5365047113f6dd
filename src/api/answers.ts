import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Answer, AnswerCache } from './answer-cache.ts';
import { etagOf, type Freshness, matchesEtag, versionOf } from './freshness.ts';
import type { TipSource } from './tip-cache.ts';

const REVALIDATE = 'public, no-cache, must-revalidate';

/**
 * Makes every GET route with a freshness class answer from memory, from another's query, or with 304 where it can.
 *
 * Handlers know nothing of it: a known URL is answered in `onRequest`, before parsing and validation; an ETag is judged
 * after validation, so that a wrong request is still told so.
 */
export function keepAnswers(app: FastifyInstance, cache: AnswerCache, tip: TipSource): void {
  app.addHook('onRoute', route => {
    const freshness = route.config?.freshness;
    const reads = [route.method].flat().every(method => method === 'GET' || method === 'HEAD');
    if (freshness === undefined || freshness === 'none' || !reads) return;
    route.onRequest = [fromMemory(freshness, cache, tip), ...[route.onRequest ?? []].flat()];
    route.preHandler = [judge(freshness, tip), ...[route.preHandler ?? []].flat()];
    route.handler = shared(route.handler, freshness, cache, tip);
  });
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Answers a URL that was answered before at this version. */
function fromMemory(freshness: Freshness, cache: AnswerCache, tip: TipSource): Hook {
  return (request, reply, done) => {
    const version = versionOf(freshness, tip.current);
    const answer = version === undefined ? undefined : cache.get(request.raw.url ?? '', version);
    if (answer === undefined) return done();
    send(request, reply, answer);
  };
}

/** Sets the ETag, and answers 304 when the client has it already. */
function judge(freshness: Freshness, tip: TipSource): Hook {
  return (request, reply, done) => {
    const etag = etagOf(freshness, tip.current);
    if (etag === undefined) return done();
    if (unchanged(request, etag)) return notModified(reply);
    reply.header('etag', `"${etag}"`).header('cache-control', REVALIDATE);
    done();
  };
}

/** Runs the handler once for all equal requests in flight and keeps the bytes. */
function shared(
  handler: RouteOptions['handler'],
  freshness: Freshness,
  cache: AnswerCache,
  tip: TipSource,
): RouteOptions['handler'] {
  return async function (request, reply) {
    // The version is taken before the query: what is kept is never older than what it says.
    const now = tip.current;
    const version = versionOf(freshness, now);
    if (version === undefined) return handler.call(this, request, reply);
    let own = false;
    const answer = await cache.share(request.raw.url ?? '', version, async () => {
      own = true;
      const value = await handler.call(this, request, reply);
      if (reply.sent || value === reply) return undefined;
      const body = Buffer.from(reply.serialize(value) as string);
      return { version, body, etag: etagOf(freshness, now) };
    });
    if (answer) return send(request, reply, answer);
    return own ? reply : handler.call(this, request, reply);
  };
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply | undefined {
  const { etag } = answer;
  if (etag !== undefined) {
    if (unchanged(request, etag)) {
      notModified(reply);
      return reply;
    }
    reply.header('etag', `"${etag}"`).header('cache-control', REVALIDATE);
  }
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.body);
}

function unchanged(request: FastifyRequest, etag: string): boolean {
  const header = request.raw.headers['if-none-match'];
  return header !== undefined && matchesEtag(header, etag);
}

function notModified(reply: FastifyReply): void {
  reply.removeHeader('etag').header('cache-control', REVALIDATE).code(304).send();
}
