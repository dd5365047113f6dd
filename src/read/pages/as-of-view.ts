import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { type AsOf, existsAsOf } from './as-of-queries.ts';

/** The error where no block belongs to a point in the chain. */
export const noBlockAsOf = (asOf: AsOf) =>
  typeof asOf === 'object' && 'hash' in asOf ? notFound('block not found with hash') : notFound('no current block');

/** Throws 404 unless there is a block at that point of the chain. */
export async function assertBlockAsOf(sql: Sql, asOf: AsOf): Promise<void> {
  if (!(await existsAsOf(sql, asOf))) throw noBlockAsOf(asOf);
}
