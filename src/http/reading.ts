import type { FastifyReply } from 'fastify';
import { ReorgDuringRead } from '../cache/rendered-items.ts';
import type { Reader } from '../db/client.ts';
import { StatementCancelled } from '../db/database-error.ts';
import { chargeWork } from './limits/admission.ts';
import { contextOf } from './request-context.ts';
import { nameHeight } from './served-height.ts';
import type { Visit } from './visit.ts';
import { completeBody } from './whole-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Connections to one server of the database; their statements end when the client leaves. */
    sql: Reader;
  }
}

/** How often a response is read before the client gets 503. */
const ATTEMPTS = 5;

/** A handler ended without a response, which Fastify would send as an empty 200. */
export class EmptyResponse extends Error {}

/**
 * Waits for a slot where the response is read from the database: with too many at once, quick statements would wait behind slow
 * ones. A handler that waits for a node holds none.
 */
function takeSlot(visit: Visit): Promise<void> | void {
  const { route, request, service } = visit;
  if (!route.isCached && route.freshness !== 'content') return;
  if (route.asksNode && !visit.isExtended) return;
  const turn = service.semaphore.take(
    () => service.rates?.clientOf(request.raw) ?? request.raw.socket.remoteAddress ?? '',
  );
  const hold = () => {
    visit.holdsSlot = true;
  };
  return turn ? turn.then(hold) : hold();
}

/**
 * Runs the handler, names the height that the tip has when all that was read is part of it, then adds to the response or reduces it
 * where the request asks for that.
 */
export async function readFromOneServer(visit: Visit): Promise<void> {
  try {
    await read(visit);
  } finally {
    if (!isAnswered(visit.reply)) nameHeight(visit);
  }
  const completed = completeBody(visit);
  if (completed) await completed;
}

/**
 * Runs the handler on one server of the database, when it is the client's turn. If that is lost, it runs again on another one; if the chain was reorganized
 * between two statements, it runs again.
 */
async function read(visit: Visit): Promise<void> {
  const turn = takeSlot(visit);
  if (turn) await turn;
  const { route, service, request } = visit;
  if (!route.reads) {
    visit.value = await handle(visit);
    return;
  }
  const { cancellation } = visit;
  cancellation.owner = contextOf(request.raw);
  // The client may have left while the request waited for its slot.
  if (cancellation.cancelled) throw new StatementCancelled();
  const bound = (sql: Reader) => {
    visit.bind(sql);
    return handle(visit);
  };
  const options = { once: route.writes, cancellation };
  for (let attempt = 1; ; attempt++) {
    try {
      visit.value = await service.reads.run(bound, options);
      return;
    } catch (error) {
      if (!(error instanceof ReorgDuringRead) || route.writes || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The handler of the route, whose time is charged to the client. It must return a value, or send or hijack the reply. */
async function handle(visit: Visit): Promise<unknown> {
  const { route, request, reply } = visit;
  const settle = chargeWork(visit);
  try {
    const value = await route.handler.call(request.server, request, reply);
    if (value !== undefined || isAnswered(reply)) return value;
  } finally {
    settle?.();
  }
  throw new EmptyResponse(
    `${route.name}: the handler ended without a response; it must return a value, or send or hijack the reply`,
  );
}

/** A client that has left needs no response. */
const isAnswered = (reply: FastifyReply) => reply.sent || reply.raw.headersSent || reply.raw.destroyed;
