import type { Sql } from '../../db/client.ts';
import { badRequest, notFound } from '../../errors.ts';
import { type AsOf, existsAsOf } from './as-of-queries.ts';
import { UnboundedList } from './unbounded-list-queries.ts';

/** The error where no block belongs to a point in the chain. */
export const noBlockAsOf = (asOf: AsOf) =>
  typeof asOf === 'object' && 'hash' in asOf ? notFound('block not found with hash') : notFound('no current block');

/** Throws 404 unless there is a block at that point of the chain. */
export async function assertBlockAsOf(sql: Sql, asOf: AsOf): Promise<void> {
  if (!(await existsAsOf(sql, asOf))) throw noBlockAsOf(asOf);
}

/** Refuses a page that would take unbounded work, with what to request instead. */
export function refuseUnbounded(error: unknown): never {
  throw error instanceof UnboundedList ? badRequest(error.message) : error;
}
