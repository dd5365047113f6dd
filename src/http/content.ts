import { contentEtag } from './freshness.ts';
import { REVALIDATE, sendNotModified, unchanged } from './not-modified.ts';
import type { SENT, Visit } from './visit.ts';

/** Whether the response changes without a step of the journal, as one with metadata of tokens does. */
export const isKnownByContent = ({ route, wantsMetadata }: Visit) => route.freshness === 'content' || wantsMetadata;

/** Gives a response the hash of its body as its ETag; responds with 304 if the client has that. */
export async function endWithContentEtag(visit: Visit): Promise<typeof SENT | undefined> {
  const { request, reply, service, value } = visit;
  const rendered = reply.serialize(value) as string;
  const body = visit.wantsMetadata ? await service.addAssetMetadata(rendered, request) : rendered;
  const etag = contentEtag(body);
  if (unchanged(request, etag)) return sendNotModified(visit);
  reply.header('etag', `"${etag}"`).header('cache-control', REVALIDATE).type('application/json; charset=utf-8');
  visit.value = body;
  return undefined;
}
