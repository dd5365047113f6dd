import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ReorgDuringRead } from '../../cache/rendered-items.ts';
import { badRequest } from '../../errors.ts';
import { listOf } from './walk-cursor-params.ts';
import type { ChainPoint } from './walk-queries.ts';
import { type WalkedPage, walk } from './walk-view.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The list also takes `cursor`. */
    walk?: OffsetWalk;
  }
}

/** How a list that is paged by offset is walked. */
type OffsetWalk = {
  /** `top`: its newest row is the first, so that what arrives moves the others down. `nowhere`: blocks above its own do not change it. */
  grows: 'top' | 'nowhere';
  /** The parameter by which the list is read as of a height: that at which the walk began. */
  asOf?: string;
  /** Whether the cursor of a request is read here, and not by the handler. */
  when?: (query: object) => boolean;
};

type Query = { cursor?: string; offset?: number; unanchored?: boolean };
type Body = { limit: number; offset: number; total: number };
type Handler = RouteOptions['handler'];

/** How often a page is read again because the list has grown meanwhile. */
const ATTEMPTS = 5;

/** Gives the lists that declare it a cursor: a page of a walk is a page at an offset that counts what has arrived since the walk began. */
export function addOffsetWalks(app: FastifyInstance): void {
  app.addHook('onRoute', route => {
    const list = route.config?.walk;
    if (list === undefined) return;
    const { handler } = route;
    route.handler = function (this: FastifyInstance, request, reply) {
      const query = request.query as Query;
      if (query.cursor === undefined || !(list.when?.(query) ?? true)) return handler.call(this, request, reply);
      return walkByOffset(list, request, reply, handler.bind(this));
    };
  });
}

async function walkByOffset(
  list: OffsetWalk,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: Handler,
): Promise<Body> {
  const { cursor, offset, unanchored } = request.query as Query;
  if (offset) throw badRequest('offset cannot be combined with cursor: go on with next_cursor');
  if ((request.params as { height_or_hash?: unknown }).height_or_hash === 'latest') {
    throw badRequest('height_or_hash=latest cannot be combined with cursor: the next page would be of another block');
  }
  if (unanchored)
    throw badRequest('unanchored cannot be combined with cursor: a walk lists what blocks have confirmed');
  const { found, cursorAt }: WalkedPage<Body> = await walk(
    request.sql,
    { list: listOf(request), cursor, asOf: list.asOf !== undefined },
    (at, pin) => pageAt(list, withPin(list, request, pin), reply, handler, at),
  );
  const { limit, offset: start, total } = found;
  if (limit < 1) throw badRequest('limit must be at least 1 beside cursor');
  const next = start + limit < total ? [start + limit, total] : undefined;
  const previous = start > 0 ? [Math.max(start - limit, 0), total] : undefined;
  return { ...found, next_cursor: cursorAt(next), prev_cursor: cursorAt(previous) } as Body;
}

/** The request as of the height of the pin, if the client names no other. */
function withPin({ asOf }: OffsetWalk, request: FastifyRequest, pin: ChainPoint | undefined): FastifyRequest {
  const query = request.query as Query & Record<string, unknown>;
  if (asOf === undefined || pin === undefined || query[asOf] !== undefined) return request;
  return withQuery(request, { [asOf]: asOf === 'height' ? pin.height : String(pin.height) });
}

/** The request with other parameters. */
const withQuery = (request: FastifyRequest, changes: object): FastifyRequest =>
  Object.create(request, { query: { value: { ...(request.query as object), ...changes } } }) as FastifyRequest;

/** The page that starts behind so many rows of a list that had so many when the walk began. */
async function pageAt(
  list: OffsetWalk,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: Handler,
  at: readonly number[] | undefined,
): Promise<Body> {
  const [start = 0, began] = at ?? [];
  let arrived = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const page = withQuery(request, { cursor: undefined, offset: start + arrived });
    const body = (await handler.call(request.server, page, reply)) as Body;
    const grown = began === undefined || list.grows === 'nowhere' ? 0 : body.total - began;
    if (grown === arrived) return { ...body, offset: start, total: began ?? body.total };
    if (grown < 0) break;
    arrived = grown;
  }
  throw new ReorgDuringRead();
}
