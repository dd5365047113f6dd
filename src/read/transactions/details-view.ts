import type { Shape } from '../../compat/shape.ts';
import type { Pool } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import type { AboutBlock } from '../../http/about-block.ts';
import { findCurrentTransaction } from './current-transactions-queries.ts';
import { type Inclusion, renderDetail, renderPendingDetail } from './transaction-detail-schema.ts';

/** A confirmed or pending transaction with the optional fields of `include`. */
export async function findTransactionDetail(
  sql: Pool,
  id: Uint8Array,
  include: readonly Inclusion[],
  shape: Shape,
): Promise<AboutBlock<ReturnType<typeof renderDetail> | ReturnType<typeof renderPendingDetail>>> {
  const found = await findCurrentTransaction(sql, id);
  if (!found) throw notFound('Transaction not found');
  if ('mined' in found) return { body: renderDetail(found.mined, include, shape), height: found.mined.height };
  return { body: renderPendingDetail(found.pending, include), height: undefined };
}
