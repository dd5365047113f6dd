import type { FastifyReply } from 'fastify';
import type { Rollback } from '../cache/change-queries.ts';
import { INCOMPLETE_NAMED, type Tip } from '../cache/tip-queries.ts';
import type { BlockBound } from './block-bound.ts';

/**
 * Where the body is about one block, or about one of its transactions, and about nothing later: declares that the response is
 * valid until a fork removes the block. Returns the body.
 */
export function cacheUntilRollback<T>({ request }: FastifyReply, { body, height }: BlockBound<T>): T {
  if (height !== undefined) request.visit.boundHeight = height;
  return body;
}

/** Declares that the response may change with every block. */
export function cacheUntilNextBlock({ request }: FastifyReply): void {
  request.visit.boundHeight = -1;
}

/** The part of an ETag that changes when a fork removes the block of a height; undefined if the response may change. */
export function markOfHeight(height: number, tip: Tip, rollbacks: readonly Rollback[]): string | undefined {
  if (height < 0 || height > tip.height || isIncomplete(height, tip)) return undefined;
  const last = rollbacks.findLast(rollback => rollback.height < height)?.seq ?? 0;
  return `h${height.toString(36)}.${last.toString(36)}.${tip.generation.toString(36)}`;
}

/** Unknown fields of a block may still arrive; if there are many such blocks, the tip names the lowest of them. */
const isIncomplete = (height: number, { incomplete }: Tip) =>
  incomplete.includes(height) || (incomplete.length >= INCOMPLETE_NAMED && height > incomplete.at(-1)!);

/** The height that an ETag names, if it names one. */
export function heightOfMark(etag: string): number | undefined {
  const [, height] = /^h([0-9a-z]{1,6})\./.exec(etag) ?? [];
  return height === undefined ? undefined : Number.parseInt(height, 36);
}
