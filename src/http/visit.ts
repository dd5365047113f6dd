import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseCache, SharedRequest } from '../cache/response-cache.ts';
import type { TipSource } from '../cache/tip-cache.ts';
import type { Tip } from '../cache/tip-queries.ts';
import type { Release } from '../compat/shape.ts';
import type { Reader } from '../db/client.ts';
import { Cancellation } from '../db/pool/cancellation.ts';
import type { Reads } from '../db/reads.ts';
import type { HeightQueue } from './height-queue.ts';
import type { RateGate } from './limits/rate-limits.ts';
import type { Refusals } from './limits/refusals.ts';
import type { Places } from './places.ts';
import { type RouteRules, unknownRoute, type Variant } from './route-rules.ts';
import type { Semaphore } from './semaphore.ts';
import { wantsNames } from './whole-body-params.ts';

/** What the stages of all requests share. */
export type Service = {
  tip: TipSource;
  cache: ResponseCache;
  reads: Reads;
  /** Limits the handlers that read from the database at once. */
  semaphore: Semaphore;
  places: Places;
  heights: HeightQueue;
  /** Without it nothing is limited or charged. */
  rates?: RateGate | undefined;
  refusals: Refusals;
  /** The release that responses follow where a client requests none. */
  shape: Release;
  /** False: deprecated routes respond with 410. */
  deprecatedEndpoints: boolean;
  /** Adds the metadata of the assets that a response mentions to its JSON. */
  addAssetMetadata: (body: unknown, request: FastifyRequest) => Promise<unknown>;
  /** Adds the names of the principals that a response mentions to its JSON. */
  addNames: (body: unknown, request: FastifyRequest) => Promise<unknown>;
};

/** The response was sent: no further stage runs. */
export const SENT = Symbol('sent');

// A stage that only looks ends without a value.
// biome-ignore lint/suspicious/noConfusingVoidType: as its promise does
type Outcome = typeof SENT | undefined | void;

/** One thing that is done with a request; an error becomes the response. */
export type Stage = (visit: Visit) => Outcome | Promise<Outcome>;

/** A request on its way through the stages, with what they have found out. */
export class Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly service: Service;
  readonly route: RouteRules;
  /** The tip before anything was read: a stored response is never older. */
  tip: Tip | undefined;
  /** The last step that may have changed a response about the principal of the path. */
  lastStep: number | undefined;
  /** The height of the block that the response is about, if only the removal of that block can change it; -1 if every block may. */
  boundHeight: number | undefined;
  /** Equal requests wait for the response of this one. */
  shared: SharedRequest | undefined;
  /** What the handler returned. */
  value: unknown;
  /** Called when the client has left before it had the response; default: its statements are cancelled. */
  onGone: (() => void) | undefined;
  holdsSlot = false;
  /** The headers of every response are written. */
  hasHeaders = false;
  #holdsPlace = false;
  #variant: Variant | undefined;
  #cancellation: Cancellation | undefined;
  #reader: Reader | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, service: Service, route: RouteRules = unknownRoute) {
    this.request = request;
    this.reply = reply;
    this.service = service;
    this.route = route;
  }

  /** Under which key the response is cached, and how its ETag ends. */
  get variant(): Variant {
    this.#variant ??= this.route.variantOf(this.request);
    return this.#variant;
  }

  /** Whether the metadata of assets are added. */
  get wantsMetadata(): boolean {
    return this.route.assetMetadata && (this.request.query as { metadata?: boolean }).metadata === true;
  }

  /** Whether the names of principals are added. */
  get wantsNames(): boolean {
    return this.route.reads && wantsNames(this.request);
  }

  /** Whether something is added that changes by itself: such a response is known only by its content. */
  get isExtended(): boolean {
    return this.wantsMetadata || this.wantsNames;
  }

  /** Ends the statements of the request, or those of all equal requests. */
  get cancellation(): Cancellation {
    this.#cancellation ??= this.shared?.cancellation ?? new Cancellation();
    return this.#cancellation;
  }

  /** Connections to the server that this request is bound to. */
  get reader(): Reader {
    if (this.#reader) return this.#reader;
    throw new Error(`${this.route.name}: only a handler of a route with a freshness class may read`);
  }

  bind(reader: Reader): void {
    this.#reader = reader;
  }

  /** Takes a place until the response is complete or the connection is closed, even if the handler never ends. */
  hold(): void {
    this.#holdsPlace = true;
    const { raw } = this.reply;
    raw.once('close', () => {
      this.#leave();
      if (raw.writableEnded) return;
      if (this.onGone) this.onGone();
      else this.cancellation.cancel();
    });
  }

  /** The handler has ended. What it sends by itself, such as the response of a node, may still be arriving. */
  end(): void {
    if (this.holdsSlot) this.service.semaphore.release();
    this.holdsSlot = false;
    if (this.shared) this.service.cache.end(this.shared);
    if (!this.reply.sent || this.reply.raw.writableEnded) this.#leave();
  }

  #leave(): void {
    if (this.#holdsPlace) this.service.places.leave();
    this.#holdsPlace = false;
  }
}
