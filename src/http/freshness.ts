import { createHash } from 'node:crypto';
import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyRequest } from 'fastify';
import type { Rollback } from '../cache/change-queries.ts';
import type { TipSource } from '../cache/tip-cache.ts';
import type { Tip } from '../cache/tip-queries.ts';
import { version } from '../config/version.ts';
import { heightOfMark, markOfHeight } from './cache-until-rollback.ts';

/**
 * What a response depends on, declared by each GET route in its `config`.
 *
 * `signers` is for responses that messages of signers change, and the chain.
 * `tx` and `block` are for responses that may be about one block and nothing later: the handler says so by `cacheUntilRollback`.
 * `principal` is for responses that change only when the principal of the path is touched, `+mempool` also by pending
 * transactions, `+locks` also with the burn chain, at which locks end. `none` is for responses that depend on more than the
 * index (a node, the clock): sent with `no-store`, never cached. `content` is for responses that change without a step of the
 * journal: the ETag is a hash of the body, and nothing is cached.
 */
export type Freshness =
  | 'tip'
  | 'mempool'
  | 'signers'
  | 'tx'
  | 'block'
  | 'principal'
  | 'principal+mempool'
  | 'principal+mempool+locks'
  | 'immutable'
  | 'content'
  | 'none';

/** Classes that a change of the mempool alone makes stale. */
const SEES_MEMPOOL: ReadonlySet<Freshness> = new Set(['mempool', 'tx', 'principal+mempool', 'principal+mempool+locks']);

/** Distinguishes the responses of one build from those of the next, whose shapes may differ. */
const build = createHash('sha256').update(version).digest('hex').slice(0, 4);

/** The journal number that a cached response must have; undefined when it must not be cached. */
export function versionOf(freshness: Freshness, tip: Tip | undefined): number | undefined {
  if (freshness === 'none' || freshness === 'content') return undefined;
  if (freshness === 'immutable') return 0;
  if (tip === undefined) return undefined;
  if (freshness === 'signers') return tip.seq;
  return SEES_MEMPOOL.has(freshness) ? tip.mempoolSeq : tip.chainSeq;
}

/** The ETag of a class at a tip, without quotes; undefined when a response gets none. */
export function etagOf(freshness: Freshness, tip: Tip | undefined): string | undefined {
  if (freshness === 'immutable') return `i-${build}`;
  const step = versionOf(freshness, tip);
  if (step === undefined || tip === undefined || tip.height < 0) return undefined;
  return `${step.toString(36)}-${tip.indexHash.toString('hex', 0, 8)}-${build}`;
}

/** The ETag of a response that is known only by its body. */
export const contentEtag = (body: string): string =>
  `c${createHash('sha256').update(body).digest('base64url').slice(0, 22)}-${build}`;

/** The ETag of a response about one block, valid until a fork removes the block; undefined if the response may change. */
export function settledEtag(height: number, tip: Tip, rollbacks: readonly Rollback[] | undefined): string | undefined {
  const mark = rollbacks && markOfHeight(height, tip, rollbacks);
  return mark === undefined ? undefined : `${mark}-${build}`;
}

/** Whether an ETag of a client is of a response about one block that is still in the chain. */
export function isStillCanonical(etag: string, tip: Tip, rollbacks: readonly Rollback[] | undefined): boolean {
  const height = heightOfMark(etag);
  return height !== undefined && settledEtag(height, tip, rollbacks) === etag;
}

/** The ETag of a response about a principal; `step` is the last one that touched it. */
export function principalEtag(freshness: Freshness, tip: Tip, step: number): string {
  const locks = freshness === 'principal+mempool+locks' ? `.${tip.burnHeight}.${tip.blockBurnHeight}` : '';
  return `p${step.toString(36)}.${tip.revision}${locks}-${build}`;
}

/** Whether an ETag of a client is of a response that is still current; `step` is the last one that may have changed it. */
export function isStillOfPrincipal(etag: string, freshness: Freshness, tip: Tip, step: number): boolean {
  const [, text] = /^p([0-9a-z]{1,10})\./.exec(etag) ?? [];
  if (text === undefined) return false;
  const given = Number.parseInt(text, 36);
  return given >= step && given <= tip.seq && principalEtag(freshness, tip, given) === etag;
}

/** Parameters that select another state than the current one; such a response may change although the principal is not touched. */
const asOfParameters = ['at_block', 'until_block', 'height', 'block_height', 'block_hash', 'unanchored'];

/** The last step that may have changed a response about the principal of the path; undefined if it is not known. */
export function lastStepOf(freshness: Freshness, request: FastifyRequest, { touched }: TipSource): number | undefined {
  if (touched === undefined || !freshness.startsWith('principal')) return undefined;
  const { principal, address = principal } = request.params as { principal?: string; address?: string };
  const query = request.query as Record<string, unknown>;
  if (address === undefined || asOfParameters.some(name => query[name] !== undefined && query[name] !== false))
    return undefined;
  return touched.lastStep(principalOrUnknown(address), freshness !== 'principal');
}

/** The ETags that an If-None-Match header names: lists, `W/` and missing quotes are understood. */
export const etagsIn = (header: string): string[] =>
  header.split(',').map(part => part.trim().replace(/^W\//, '').replace(/^"|"$/g, ''));

/** Whether an If-None-Match header names the value: lists, `W/` and missing quotes are understood, `*` is not special. */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === `"${etag}"`) return true;
  return etagsIn(header).includes(etag);
}
