import type { FastifyRequest } from 'fastify';
import { nameIncomplete } from './completeness.ts';
import { etagOf, etagsIn, isStillCanonical, isStillOfPrincipal, lastStepOf, matchesEtag } from './freshness.ts';
import { listHeaders, writeHeaders } from './headers.ts';
import { HEIGHT_HEADER, servedHeight } from './served-height.ts';
import { SENT, type Visit } from './visit.ts';

export const REVALIDATE = 'public, no-cache, must-revalidate';

/**
 * Sets the headers of what the response will be of, and responds with 304 if the client has it. It follows validation: an invalid
 * request still gets its 400.
 */
export function checkNotModified(visit: Visit): typeof SENT | undefined {
  nameIncomplete(visit);
  const { route, request, reply, service } = visit;
  if (!route.isCached || visit.isExtended) return undefined;
  const made = etagOf(route.freshness, service.tip.current);
  if (made === undefined) return undefined;
  const etag = made + visit.variant.mark;
  if (unchanged(request, etag) || isStillCurrent(visit)) return sendNotModified(visit);
  reply.header('etag', `"${etag}"`).header('cache-control', REVALIDATE);
  return undefined;
}

/** Whether the client has a response about one block or one principal that is still current. */
function isStillCurrent({ route: { freshness }, request, service: { tip }, variant: { mark } }: Visit): boolean {
  const header = request.raw.headers['if-none-match'];
  const now = tip.current;
  if (header === undefined || now === undefined) return false;
  const given = etagsIn(header).flatMap(etag =>
    etag.endsWith(mark) ? [etag.slice(0, etag.length - mark.length)] : [],
  );
  if (freshness === 'tx' || freshness === 'block') {
    return given.some(etag => isStillCanonical(etag, now, tip.rollbacks));
  }
  const step = lastStepOf(freshness, request, tip);
  return step !== undefined && given.some(etag => isStillOfPrincipal(etag, freshness, now, step));
}

export function unchanged(request: FastifyRequest, etag: string): boolean {
  const header = request.raw.headers['if-none-match'];
  return header !== undefined && matchesEtag(header, etag);
}

/** What is written with another value, or not at all. */
const REPLACED: ReadonlySet<string> = new Set(['etag', 'cache-control', HEIGHT_HEADER]);

/** Writes to the socket without the framework, as for a stored response. */
export function sendNotModified(visit: Visit): typeof SENT {
  writeHeaders(visit);
  const { reply, service } = visit;
  const headers = listHeaders(reply, REPLACED);
  headers.push('cache-control', REVALIDATE);
  const height = servedHeight(service.tip);
  if (height !== undefined) headers.push(HEIGHT_HEADER, height);
  reply.hijack();
  reply.raw.writeHead(304, headers).end();
  return SENT;
}
