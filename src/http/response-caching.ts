import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ReorgDuringRead } from '../cache/rendered-items.ts';
import type { CachedResponse, ResponseCache } from '../cache/response-cache.ts';
import type { TipSource } from '../cache/tip-cache.ts';
import type { Tip } from '../cache/tip-queries.ts';
import { principalOrUnknown } from '../codec/address/principal.ts';
import type { Release } from '../compat/shape.ts';
import { StatementCancelled } from '../db/database-error.ts';
import { beginCancellable, Cancellation } from '../db/pool/cancellation.ts';
import type { Reads } from '../db/reads.ts';
import { clientOf } from './client.ts';
import {
  contentEtag,
  etagOf,
  etagsIn,
  type Freshness,
  isStillOfPrincipal,
  isStillSettled,
  matchesEtag,
  principalEtag,
  settledEtag,
  versionOf,
} from './freshness.ts';
import { contextOf, REQUEST_ID_HEADER } from './request-context.ts';
import type { Semaphore } from './semaphore.ts';
import { HEIGHT_HEADER, servedHeight } from './served-height.ts';
import { settledHeight } from './settled.ts';
import { hasVersion9Keys, SHAPE_HEADER, shapeOf } from './shape.ts';

const REVALIDATE = 'public, no-cache, must-revalidate';

export type ResponseCacheOptions = {
  cache: ResponseCache;
  tip: TipSource;
  reads: Reads;
  /** Limits the handlers that read from the database at once. */
  semaphore: Semaphore;
  /** The client that a request belongs to where requests take turns. */
  payerOf: (request: FastifyRequest) => string;
  /** Adds the metadata of the assets that a response mentions to its JSON. */
  addAssetMetadata: (body: string, request: FastifyRequest) => Promise<string>;
  shape: Release;
};

/**
 * Makes every GET route with a freshness class respond from the cache, from an equal request in flight, or with 304. The
 * semaphore limits the rest: with too many at once, quick statements would wait behind slow ones.
 *
 * Handlers know nothing of it. A cached response is sent in `onRequest`, before parsing and validation. An ETag is compared
 * after validation, so that an invalid request still gets its error.
 */
export function addResponseCache(app: FastifyInstance, options: ResponseCacheOptions): void {
  const { cache, tip, semaphore, shape, payerOf } = options;
  const inTurn: InTurn = (request, work) => semaphore.run(payerOf(request), work);
  const cancellableHandler = (handler: RouteOptions['handler'], once = false) => bound(handler, options.reads, once);
  app.addHook('onRoute', route => {
    const freshness = route.config?.freshness;
    if (freshness === undefined) return;
    const variantOf = route.url.startsWith('/extended/v3')
      ? variants(request => shapeOf(request, shape), shape === '9.3' ? '9.3' : '9.0')
      : variants(request => (hasVersion9Keys(request, shape) ? '9' : '8'), shape === '8' ? '8' : '9');
    const reads = [route.method].flat().every(method => method === 'GET' || method === 'HEAD');
    const { handler } = route;
    if (freshness === 'none' || !reads) {
      route.handler = forClient(cancellableHandler(handler, !reads));
      return;
    }
    if (freshness === 'content') {
      route.handler = forClient(contentHandler(cancellableHandler(handler), inTurn, async body => body));
      return;
    }
    route.onRequest = [fromCache(freshness, cache, tip, variantOf), ...[route.onRequest ?? []].flat()];
    const wantsMetadata = (request: FastifyRequest) =>
      route.config?.assetMetadata === true && (request.query as { metadata?: boolean }).metadata === true;
    const compare = compareEtag(freshness, tip, variantOf);
    const compareUnlessAdded: Hook = (request, reply, done) =>
      wantsMetadata(request) ? done() : compare(request, reply, done);
    route.preHandler = [compareUnlessAdded, ...[route.preHandler ?? []].flat()];
    const cancellable = cancellableHandler(handler);
    const limited: Handler = function (request, reply, cancellation) {
      return inTurn(request, () => retryOnReorg(async () => cancellable.call(this, request, reply, cancellation)));
    };
    const plain = shared(route.config?.asksNode ? cancellable : limited, freshness, cache, tip, variantOf);
    // Metadata change without a step of the journal: such a response is known only by its content.
    const withMetadata = forClient(contentHandler(cancellable, inTurn, options.addAssetMetadata));
    route.handler = function (request, reply) {
      return (wantsMetadata(request) ? withMetadata : plain).call(this, request, reply);
    };
  });
}

/** A URL has one response for each shape that clients request: its cache key, and the suffix of its ETag. */
type Variant = { key: string; mark: string };
type VariantOf = (request: FastifyRequest) => Variant;

const variants =
  <T extends string>(requested: (request: FastifyRequest) => T, fallback: T): VariantOf =>
  request => {
    const own = requested(request);
    const { url = '' } = request.raw;
    return own === fallback ? { key: url, mark: '' } : { key: `${own} ${url}`, mark: `-${own}` };
  };

/** A handler whose statements end with the cancellation. */
type Handler = (
  this: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  cancellation: Cancellation,
) => unknown;

/** Makes the statements of a handler belong to one cancellation and to one server of the database. */
function bound(handler: RouteOptions['handler'], reads: Reads, once: boolean): Handler {
  return function (request, reply, cancellation) {
    return reads.run(
      async () => {
        // It may have been cancelled while it waited for the semaphore.
        if (cancellation.cancelled) throw new StatementCancelled();
        cancellation.owner = contextOf(request.raw);
        return beginCancellable(cancellation, () => handler.call(this, request, reply));
      },
      { once },
    );
  };
}

/** Cancels the statements of a request when its client is gone. */
function forClient(handler: Handler): RouteOptions['handler'] {
  return function (request, reply) {
    const cancellation = new Cancellation();
    clientOf(reply).onGone(() => cancellation.cancel());
    return handler.call(this, request, reply, cancellation);
  };
}

/** Runs the work of a request when it is the turn of its client. */
type InTurn = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>;

/** Adds to the JSON of a response what is not in the index of the chain. */
type Complete = (body: string, request: FastifyRequest) => Promise<string>;

/** Renders a response and sets the ETag of its body; responds with 304 if the client has it already. */
function contentHandler(handler: Handler, inTurn: InTurn, complete: Complete): Handler {
  return async function (request, reply, cancellation) {
    const value = await inTurn(request, () =>
      retryOnReorg(async () => handler.call(this, request, reply, cancellation)),
    );
    const body = await complete(reply.serialize(value) as string, request);
    const etag = contentEtag(body);
    if (unchanged(request, etag)) return notModified(reply);
    reply.header('etag', `"${etag}"`).header('cache-control', REVALIDATE).type('application/json; charset=utf-8');
    return body;
  };
}

/** How often a read is tried before the client gets 503. */
const ATTEMPTS = 5;

/** Reads again when the chain was reorganized between two statements of one response. */
async function retryOnReorg<T>(read: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ReorgDuringRead) || attempts === 1) throw error;
    return await retryOnReorg(read, attempts - 1);
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Sends the response of a URL that the cache has at this version. */
function fromCache(freshness: Freshness, cache: ResponseCache, tip: TipSource, variantOf: VariantOf): Hook {
  return (request, reply, done) => {
    const version = versionOf(freshness, tip.current);
    const response = version === undefined ? undefined : cache.get(variantOf(request).key, version);
    if (response === undefined) return done();
    send(request, reply, response, tip);
  };
}

/** Sets the ETag, and responds with 304 if the client has it already. */
function compareEtag(freshness: Freshness, tip: TipSource, variantOf: VariantOf): Hook {
  return (request, reply, done) => {
    const now = tip.current;
    const made = etagOf(freshness, now);
    if (now === undefined || made === undefined) return done();
    const { mark } = variantOf(request);
    const etag = made + mark;
    if (unchanged(request, etag) || isStillCurrent(freshness, request, tip, now, mark)) return void notModified(reply);
    reply.header('etag', `"${etag}"`).header('cache-control', REVALIDATE);
    done();
  };
}

/** Parameters that select another state than the current one; such a response may change although the principal is not touched. */
const asOfParameters = ['until_block', 'height', 'block_height', 'block_hash', 'unanchored'];

/** The last step that may have changed a response about the principal of the path; undefined if it is not known. */
function lastStepOf(freshness: Freshness, request: FastifyRequest, { touched }: TipSource): number | undefined {
  if (touched === undefined || !freshness.startsWith('principal')) return undefined;
  const { principal, address = principal } = request.params as { principal?: string; address?: string };
  const query = request.query as Record<string, unknown>;
  if (address === undefined || asOfParameters.some(name => query[name] !== undefined && query[name] !== false))
    return undefined;
  return touched.lastStep(principalOrUnknown(address), freshness !== 'principal');
}

/** Whether the client has a response about one block or one principal that is still current. */
function isStillCurrent(
  freshness: Freshness,
  request: FastifyRequest,
  tip: TipSource,
  now: Tip,
  mark: string,
): boolean {
  const header = request.raw.headers['if-none-match'];
  if (header === undefined) return false;
  const given = etagsIn(header).flatMap(etag =>
    etag.endsWith(mark) ? [etag.slice(0, etag.length - mark.length)] : [],
  );
  if (freshness === 'tx' || freshness === 'block') {
    return given.some(etag => isStillSettled(etag, now, tip.rollbacks));
  }
  const step = lastStepOf(freshness, request, tip);
  return step !== undefined && given.some(etag => isStillOfPrincipal(etag, freshness, now, step));
}

/** Runs the handler once for all equal requests in flight and caches the response. */
function shared(
  handler: Handler,
  freshness: Freshness,
  cache: ResponseCache,
  tip: TipSource,
  variantOf: VariantOf,
): RouteOptions['handler'] {
  const unshared = forClient(handler);
  return async function (request, reply) {
    // The version is read before the rows: a cached response is never older than its version.
    const now = tip.current;
    const version = versionOf(freshness, now);
    const { rollbacks } = tip;
    const step = lastStepOf(freshness, request, tip);
    if (version === undefined) return unshared.call(this, request, reply);
    /** An ETag that outlives this block, where the response is about one block or one principal. */
    const lastingEtag = (tip: Tip, height: number | undefined) => {
      if (height !== undefined) return settledEtag(height, tip, rollbacks);
      return step === undefined ? undefined : principalEtag(freshness, tip, step);
    };
    let own: { value: unknown } | undefined;
    const { key, mark } = variantOf(request);
    const renderOwn = async (cancellation: Cancellation) => {
      own = { value: await handler.call(this, request, reply, cancellation) };
      // Redirects and other replies that the handler sent itself are not cached.
      if (reply.sent || own.value === reply || reply.statusCode !== 200) return undefined;
      const lasting = now && now.height >= 0 ? lastingEtag(now, settledHeight(reply)) : undefined;
      const etag = lasting ?? etagOf(freshness, now);
      return render(reply, own.value, version, etag === undefined ? undefined : etag + mark);
    };
    const response = await cache.share(key, version, renderOwn, clientOf(reply));
    if (response) return send(request, reply, response, tip);
    return own ? own.value : unshared.call(this, request, reply);
  };
}

/** An object becomes JSON; text with a type of its own stays as it is. */
function render(reply: FastifyReply, value: unknown, version: number, etag: string | undefined): CachedResponse {
  const body =
    typeof value === 'string' && reply.hasHeader('content-type') ? value : (reply.serialize(value) as string);
  const length = Buffer.byteLength(body);
  // The id is that of one request, the rest is shared.
  const { [REQUEST_ID_HEADER]: _, ...shared } = reply.getHeaders();
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...shared,
    vary: SHAPE_HEADER,
    ...(etag !== undefined && { etag: `"${etag}"`, 'cache-control': REVALIDATE }),
    'content-length': length,
  };
  const written = Object.entries(headers).flatMap(([name, text]) => [name, String(text)]);
  return { version, body, length, etag, headers: written };
}

/** Writes to the socket without the framework: the headers of a cached response are ready. */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, length, etag, headers }: CachedResponse,
  tip: TipSource,
): FastifyReply {
  if (etag !== undefined && unchanged(request, etag)) return notModified(reply);
  reply.hijack();
  const height = servedHeight(tip);
  const own = [REQUEST_ID_HEADER, contextOf(request.raw).id, ...(height === undefined ? [] : [HEIGHT_HEADER, height])];
  const response = reply.raw.writeHead(200, [...headers, ...own]);
  if (typeof body === 'string') {
    // Head and body go out in one system call; without this they would be copied into one string first.
    response.cork();
    response.flushHeaders();
  }
  // ASCII needs no conversion; a buffer has no encoding.
  response.end(body, body.length === length ? 'latin1' : 'utf8');
  return reply;
}

function unchanged(request: FastifyRequest, etag: string): boolean {
  const header = request.raw.headers['if-none-match'];
  return header !== undefined && matchesEtag(header, etag);
}

function notModified(reply: FastifyReply): FastifyReply {
  return reply.removeHeader('etag').header('cache-control', REVALIDATE).code(304).send();
}
