import type { Sql } from '../../db/client.ts';
import { badRequest, notFound } from '../../errors.ts';
import { type AsOf, existsAsOf } from './as-of-queries.ts';
import { UnboundedList } from './unbounded-list-queries.ts';

/** The error where no block belongs to a point in the chain. */
export function noBlockAsOf(asOf: AsOf) {
  if (typeof asOf === 'object' && 'hash' in asOf) return notFound('block not found with hash');
  if (typeof asOf === 'object' && 'block' in asOf) return notFound('at_block: the chain has no such block');
  return notFound('no current block');
}

/** Throws 404 unless there is a block at that point of the chain. */
export async function assertBlockAsOf(sql: Sql, asOf: AsOf): Promise<void> {
  if (!(await existsAsOf(sql, asOf))) throw noBlockAsOf(asOf);
}

/** Throws 404 if a request names a block that the chain does not have: an empty response would say something else. */
export async function assertBlockNamed(sql: Sql, asOf: AsOf): Promise<void> {
  if (asOf !== 'tip') await assertBlockAsOf(sql, asOf);
}

/** Refuses a page that would take unbounded work, with what to request instead. */
export function refuseUnbounded(error: unknown): never {
  throw error instanceof UnboundedList ? badRequest(error.message) : error;
}
