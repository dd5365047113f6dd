import { createHash } from 'node:crypto';
import type { Tip } from '../../queries/status/tip.ts';
import { version } from '../../version.ts';

/**
 * What a response depends on, declared by each GET route in its `config`.
 *
 * `none` is for responses that depend on more than the index (a node, the clock): sent with `no-store`, never cached.
 */
export type Freshness = 'tip' | 'mempool' | 'tx' | 'block' | 'principal' | 'principal+mempool' | 'immutable' | 'none';

declare module 'fastify' {
  interface FastifyContextConfig {
    freshness?: Freshness;
    /** The handler also calls a node, which may be slow. */
    asksNode?: boolean;
    /** The route still works but clients should leave it; a text replaces the usual sentence. */
    deprecated?: boolean | string;
  }
}

/** Classes that a change of the mempool alone makes stale. */
const SEES_MEMPOOL: ReadonlySet<Freshness> = new Set(['mempool', 'tx', 'principal+mempool']);

/** Distinguishes the responses of one build from those of the next, whose shapes may differ. */
const build = createHash('sha256').update(version).digest('hex').slice(0, 4);

/** The journal number that a cached response must have; undefined when it must not be cached. */
export function versionOf(freshness: Freshness, tip: Tip | undefined): number | undefined {
  if (freshness === 'none') return undefined;
  if (freshness === 'immutable') return 0;
  if (tip === undefined) return undefined;
  return SEES_MEMPOOL.has(freshness) ? tip.seq : tip.chainSeq;
}

/** The ETag of a class at a tip, without quotes; undefined when a response gets none. */
export function etagOf(freshness: Freshness, tip: Tip | undefined): string | undefined {
  if (freshness === 'immutable') return `i-${build}`;
  const step = versionOf(freshness, tip);
  if (step === undefined || tip === undefined || tip.height < 0) return undefined;
  return `${step.toString(36)}-${tip.indexHash.toString('hex', 0, 8)}-${build}`;
}

/** Whether an If-None-Match header names the value: lists, `W/` and missing quotes are understood, `*` is not special. */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === `"${etag}"`) return true;
  return header.split(',').some(part => part.trim().replace(/^W\//, '').replace(/^"|"$/g, '') === etag);
}
