import { chunksPath } from '../signers/signer-event.ts';
import { discardBody, RejectedRequest, readBody, readWhole } from './event-body.ts';
import type { Post, PostOutcome } from './post.ts';
import { MAX_CHUNKS_BYTES, reduceChunks } from './signer-chunks.ts';

/** The end of a request that is no post: nobody counts it. */
const NO_POST = 'no post';

type Outcome = PostOutcome | typeof NO_POST | undefined;

/** One thing that is done with a request of a node; it ends the list by its outcome. */
type Stage = (post: Post) => Outcome | Promise<Outcome>;

/** What happens to every request at the port for events, in this order. */
const stages: readonly Stage[] = [
  refuseStrangers, //      403 for addresses that CAIRN_OBSERVER_ALLOW does not name
  refusePages, //          403 for browsers, which may be lured into posting here; a node sends no Origin
  respondToReads, //       200 at `/` for checks of health, 404 and 405 for what is no post
  refuseLongPaths, //      414
  discardUnneeded, //      200 without storing what only the sender is interested in
  refuseWhileSuspended, // 503 with the reason, so that the node repeats the event
  storeSignerMessages, //  200 when they wait to be stored: the many messages about one block share an event
  append, //               200 when the event is on disk
];

/** Runs the stages; a failure becomes a response that makes the node repeat the event, or not. */
export async function receive(post: Post): Promise<void> {
  try {
    for (const stage of stages) {
      const next = stage(post);
      const outcome = next instanceof Promise ? await next : next;
      if (outcome === undefined) continue;
      if (outcome !== NO_POST) post.report(outcome);
      return;
    }
  } catch (error) {
    post.report(respondWithFailure(error, post));
  }
}

function refuseStrangers({ isOfStranger, address }: Post): undefined {
  if (!isOfStranger) return;
  throw new RejectedRequest(403, `${address} may not send events: CAIRN_OBSERVER_ALLOW does not name it`);
}

function refusePages({ request }: Post): undefined {
  if (request.headers.origin === undefined) return;
  throw new RejectedRequest(403, 'requests of web pages (with an Origin header) are not taken');
}

const MAX_PATH = 200;

function respondToReads(post: Post): Outcome {
  const { request, response, path } = post;
  if (request.method === 'POST') return undefined;
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD, POST');
    post.respond(405, { error: `${request.method} is not used here: events are sent by POST` });
  } else if (path === '/') post.respond(200, { status: 'ready', service: 'cairn event observer' });
  else post.respond(404, { error: `nothing is served at ${path.slice(0, MAX_PATH)}: this port takes node events` });
  return NO_POST;
}

function refuseLongPaths({ path }: Post): undefined {
  if (path.length > MAX_PATH) throw new RejectedRequest(414, `the path is longer than ${MAX_PATH} characters`);
}

/** Of interest to the sender only; counted and dropped unless all events are kept. */
const unneeded: ReadonlySet<string> = new Set([
  '/proposal_response',
  '/mined_block',
  '/mined_microblock',
  '/mined_nakamoto_block',
]);

async function discardUnneeded(post: Post): Promise<Outcome> {
  const { path, request, service } = post;
  if (!unneeded.has(path) || service.keepAll) return undefined;
  post.bytes = await discardBody(request, service.limits);
  post.respond(200, { result: 'ok' });
  return 'discarded';
}

function refuseWhileSuspended(post: Post): Outcome {
  const { suspended } = post.service;
  if (suspended === undefined) return undefined;
  post.response.setHeader('Retry-After', '1');
  post.respondUnread(503, { error: `${suspended}; please repeat the event` });
  return 'unavailable';
}

async function storeSignerMessages(post: Post): Promise<Outcome> {
  const { path, request, service, arrived, source } = post;
  if (path !== chunksPath || service.keepAll) return undefined;
  const body = await readWhole(request, service.limits, MAX_CHUNKS_BYTES);
  post.bytes = body.size;
  let stored = false;
  try {
    const { records, skipped } = reduceChunks(body.content);
    post.skippedChunks = skipped;
    stored = records !== undefined;
    if (records) await service.signers.add(records, arrived, source);
  } finally {
    body.release();
  }
  post.respond(200, { result: 'ok' });
  return stored ? 'stored' : 'discarded';
}

async function append(post: Post): Promise<Outcome> {
  const { path, request, service, arrived, source } = post;
  const body = await readBody(request, service.limits);
  try {
    post.bytes = body.size;
    await service.log.append({ path, source, at: path === chunksPath ? arrived : new Date(), body: body.content });
  } finally {
    body.release();
  }
  post.respond(200, { result: 'ok' });
  return 'stored';
}

function respondWithFailure(error: unknown, post: Post): PostOutcome {
  const { path, source, response } = post;
  const { logger } = post.service;
  if (error instanceof RejectedRequest) {
    logger?.warn({ path, source, status: error.status }, `rejected an event: ${error.message}`);
    post.respondUnread(error.status, { error: error.message });
    return 'refused';
  }
  logger?.error({ path, source, err: error }, 'an event could not be stored; the node will repeat it');
  response.setHeader('Retry-After', '1');
  post.respond(503, { error: 'the event could not be stored, please repeat it' });
  return 'unavailable';
}
