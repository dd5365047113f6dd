import type { FastifyRequest, RouteOptions } from 'fastify';
import type { Release } from '../compat/shape.ts';
import { PublicError } from '../errors.ts';
import type { Freshness } from './freshness.ts';
import { hasVersion9Keys, shapeOf } from './shape.ts';
import { markOfParams } from './whole-body-params.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    freshness?: Freshness;
    /** With the parameter `metadata`, the response gets the metadata of the assets that it mentions. */
    assetMetadata?: boolean;
    /** The handler also calls a node, which may be slow. */
    asksNode?: boolean;
    /** The response stays open for as long as the client wants: it has limits of its own. */
    longLived?: boolean;
    /** The response is read from the chain although it has no freshness class. */
    readsChain?: boolean;
    /** Its work is that of requests that are charged themselves. */
    isCharged?: boolean;
    /** Units that a rendered response costs its client; default 1, for lists 2. */
    cost?: number;
    /** The route still works but clients should leave it; a text replaces the default sentence. */
    deprecated?: boolean | string;
  }
}

/** A URL has one response for each shape that clients request: its cache key, and the suffix of its ETag. */
export type Variant = { key: string; mark: string };

/** What the stages need to know of a route, found out once. */
export type RouteRules = {
  /** Its method and URL, for messages. */
  name: string;
  handler: RouteOptions['handler'];
  freshness: Freshness;
  /** Its handler reads with the connection of its request. */
  reads: boolean;
  /** It may change something: it does not run twice, and its response is not stored. */
  writes: boolean;
  /** Its responses are stored under a journal number. */
  isCached: boolean;
  ofChain: boolean;
  asksNode: boolean;
  longLived: boolean;
  isCharged: boolean;
  assetMetadata: boolean;
  /** The schema of its JSON, which `fields` selects from; `text` where it is none, undefined where it is not declared. */
  response: object | 'text' | undefined;
  cost: number;
  /** The header `Warning`, and the error if deprecated routes are off. */
  deprecation: { warning: string; gone: PublicError } | undefined;
  variantOf: (request: FastifyRequest) => Variant;
};

const DEPRECATED = 'Deprecated: see /docs for what replaces this endpoint';

/** Lists cost twice what single things do, unless they say themselves. */
const LIST_COST = 2;

const variants =
  <T extends string>(requested: (request: FastifyRequest) => T, fallback: T) =>
  (request: FastifyRequest): Variant => {
    const own = requested(request);
    const { url = '' } = request.raw;
    const mark = markOfParams(request);
    return own === fallback ? { key: url, mark } : { key: `${own} ${url}`, mark: `-${own}${mark}` };
  };

export function rulesOf(route: RouteOptions, { shape }: { shape: Release }): RouteRules {
  const { freshness = 'none', readsChain = false, ...config } = route.config ?? {};
  const writes = ![route.method].flat().every(method => method === 'GET' || method === 'HEAD');
  const query = route.schema?.querystring as { properties?: object } | undefined;
  const isList = query?.properties !== undefined && 'limit' in query.properties;
  return {
    name: `${route.method} ${route.url}`,
    handler: route.handler,
    freshness: writes ? 'none' : freshness,
    reads: route.config?.freshness !== undefined,
    writes,
    isCached: !writes && freshness !== 'none' && freshness !== 'content',
    ofChain: readsChain || (freshness !== 'none' && freshness !== 'immutable'),
    asksNode: config.asksNode === true,
    longLived: config.longLived === true,
    isCharged: config.isCharged === true,
    assetMetadata: config.assetMetadata === true,
    response: writes ? undefined : responseOf(route.schema?.response),
    cost: config.cost ?? (isList ? LIST_COST : 1),
    deprecation: deprecationOf(config.deprecated),
    variantOf: route.url.startsWith('/extended/v3')
      ? variants(request => shapeOf(request, shape), shape === '9.3' ? '9.3' : '9.0')
      : variants(request => (hasVersion9Keys(request, shape) ? '9' : '8'), shape === '8' ? '8' : '9'),
  };
}

/** The declared schema of a successful response. */
function responseOf(declared: unknown): RouteRules['response'] {
  const schema = (declared as { 200?: { type?: string; content?: unknown } } | undefined)?.[200];
  if (schema === undefined) return undefined;
  return schema.type === 'string' || schema.content !== undefined ? 'text' : schema;
}

/** The rules of a URL that no route has. */
export const unknownRoute: RouteRules = {
  ...rulesOf({ method: 'GET', url: '*', handler: () => undefined }, { shape: '8' }),
  name: 'an unknown URL',
};

function deprecationOf(deprecated: boolean | string | undefined): RouteRules['deprecation'] {
  if (!deprecated) return undefined;
  const text = typeof deprecated === 'string' ? deprecated : DEPRECATED;
  const message = `This endpoint has been disabled. ${text}`;
  return { warning: `299 - "${text}"`, gone: new PublicError(410, text, { error: 'Gone', message }) };
}
