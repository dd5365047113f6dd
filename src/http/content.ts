import { contentEtag } from './freshness.ts';
import { REVALIDATE, sendNotModified, unchanged } from './not-modified.ts';
import type { SENT, Visit } from './visit.ts';

/** Whether the response changes without a step of the journal, as one with metadata of tokens or with names does. */
export const isKnownByContent = ({ route, isExtended }: Visit) => route.freshness === 'content' || isExtended;

/** An object becomes JSON; text with a type of its own stays as it is. */
export const bodyOf = ({ reply, value }: Visit): string =>
  typeof value === 'string' && reply.hasHeader('content-type') ? value : (reply.serialize(value) as string);

/** Gives a response the hash of its body as its ETag; responds with 304 if the client has that. */
export function endWithContentEtag(visit: Visit): typeof SENT | undefined {
  const { request, reply } = visit;
  const body = bodyOf(visit);
  const etag = contentEtag(body);
  if (unchanged(request, etag)) return sendNotModified(visit);
  reply.header('etag', `"${etag}"`).header('cache-control', REVALIDATE).type('application/json; charset=utf-8');
  visit.value = body;
  return undefined;
}
