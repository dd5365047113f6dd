import type { CachedResponse } from '../cache/response-cache.ts';
import { bodyOf, endWithContentEtag, isKnownByContent } from './content.ts';
import { etagOf, lastStepOf, principalEtag, settledEtag, versionOf } from './freshness.ts';
import { listHeaders } from './headers.ts';
import { LIMIT_HEADERS } from './limits/limit-headers.ts';
import { REVALIDATE, sendNotModified, unchanged } from './not-modified.ts';
import { contextOf, REQUEST_ID_HEADER } from './request-context.ts';
import { awaitHeight, HEIGHT_HEADER, servedHeight } from './served-height.ts';
import { POSITION_HEADER, servedPosition } from './served-position.ts';
import { SHAPE_HEADER } from './shape.ts';
import { SENT, type Visit } from './visit.ts';

/**
 * Sends the response of the URL if the cache has it at this version. A client that has seen a higher block elsewhere waits for it
 * first.
 */
export function answerFromCache(visit: Visit): Promise<typeof SENT | undefined> | typeof SENT | undefined {
  const seen = awaitHeight(visit);
  return seen ? seen.then(() => fromCache(visit)) : fromCache(visit);
}

function fromCache(visit: Visit): typeof SENT | undefined {
  const { route, service } = visit;
  if (!route.isCached) return undefined;
  const version = versionOf(route.freshness, service.tip.current);
  const response = version === undefined ? undefined : service.cache.get(visit.variant.key, version);
  return response && send(visit, response);
}

/** Waits for the response of an equal request in progress; else makes later ones wait for this one. */
export function joinEqualRequest(visit: Visit): Promise<typeof SENT | undefined> | undefined {
  const { route, service } = visit;
  if (!route.isCached || visit.isExtended) return undefined;
  // The version is read before the rows: a cached response is never older than its version.
  visit.tip = service.tip.current;
  const version = versionOf(route.freshness, visit.tip);
  if (version === undefined) return undefined;
  visit.lastStep = lastStepOf(route.freshness, visit.request, service.tip);
  const { key } = visit.variant;
  const other = service.cache.inProgress(key, version);
  if (other) return wait(visit, other.join(), () => service.cache.leave(other));
  const shared = service.cache.begin(key, version);
  visit.shared = shared;
  visit.onGone = () => service.cache.leave(shared);
  return undefined;
}

async function wait(visit: Visit, response: Promise<CachedResponse | undefined>, leave: () => void) {
  visit.onGone = leave;
  const found = await response;
  visit.onGone = undefined;
  // Undefined for what is not stored, such as 404: each client gets its own.
  return found && send(visit, found);
}

/**
 * Stores the bytes of the response for later requests and for those that wait, and sends them. What is known only by its content
 * is not stored.
 */
export function remember(visit: Visit): typeof SENT | undefined {
  return isKnownByContent(visit) ? endWithContentEtag(visit) : store(visit);
}

function store(visit: Visit): typeof SENT | undefined {
  const { shared, reply, value, service } = visit;
  // Redirects and other replies that the handler sent itself are not stored.
  if (!shared || reply.sent || value === reply || reply.statusCode !== 200) return undefined;
  const etag = lastingEtag(visit) ?? etagOf(visit.route.freshness, visit.tip);
  const response = render(visit, shared.version, etag === undefined ? undefined : etag + visit.variant.mark);
  service.cache.end(shared, response);
  return send(visit, response);
}

/** An ETag that outlives this block, where the response is about one block or one principal. */
function lastingEtag({ tip, boundHeight, service, lastStep, route }: Visit): string | undefined {
  if (!tip || tip.height < 0) return undefined;
  if (boundHeight !== undefined) return settledEtag(boundHeight, tip, service.tip.rollbacks);
  return lastStep === undefined ? undefined : principalEtag(route.freshness, tip, lastStep);
}

/**
 * Headers that a stored response does not take from the reply: the id is that of one request, height and position those of its
 * time, limits those of a client; the others are written anew.
 */
const UNSHARED = [REQUEST_ID_HEADER, HEIGHT_HEADER, POSITION_HEADER, ...LIMIT_HEADERS, 'vary', 'content-length'];
const withoutEtag: ReadonlySet<string> = new Set(UNSHARED);
const withEtag: ReadonlySet<string> = new Set([...UNSHARED, 'etag', 'cache-control']);

function render(visit: Visit, version: number, etag: string | undefined): CachedResponse {
  const { reply } = visit;
  const body = bodyOf(visit);
  const length = Buffer.byteLength(body);
  const headers = listHeaders(reply, etag === undefined ? withoutEtag : withEtag);
  if (!reply.hasHeader('content-type')) headers.push('content-type', 'application/json; charset=utf-8');
  headers.push('vary', SHAPE_HEADER, 'content-length', String(length));
  if (etag !== undefined) headers.push('etag', `"${etag}"`, 'cache-control', REVALIDATE);
  return { version, body, length, etag, headers };
}

/** Writes to the socket without the framework: the headers of a stored response are ready. */
function send(visit: Visit, { body, length, etag, headers }: CachedResponse): typeof SENT {
  const { request, reply, service, route } = visit;
  if (etag !== undefined && unchanged(request, etag)) return sendNotModified(visit);
  reply.hijack();
  const height = servedHeight(service.tip);
  // Of what was just read, the tip before that.
  const position = route.freshness === 'immutable' ? undefined : servedPosition(visit.tip ?? service.tip.current);
  const all = headers.concat(REQUEST_ID_HEADER, contextOf(request.raw).id);
  if (height !== undefined) all.push(HEIGHT_HEADER, height);
  if (position !== undefined) all.push(POSITION_HEADER, position);
  const response = reply.raw.writeHead(200, all);
  if (typeof body === 'string') {
    // Head and body go out in one system call; without this they would be copied into one string first.
    response.cork();
    response.flushHeaders();
  }
  // ASCII needs no conversion; a buffer has no encoding.
  response.end(body, body.length === length ? 'latin1' : 'utf8');
  return SENT;
}
