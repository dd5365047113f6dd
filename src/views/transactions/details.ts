import type { Shape } from '../../compat/shape.ts';
import type { Pool } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { findCurrentTransaction } from '../../queries/transactions/current-transactions.ts';
import { type Inclusion, renderDetail, renderPendingDetail } from '../../schemas/transactions/transaction-detail.ts';
import type { AboutBlock } from '../about-block.ts';

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
