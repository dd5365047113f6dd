import type { Shape } from '../../compat/shape.ts';
import type { Pool } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { findCurrentTransaction } from '../../queries/transactions/current-transactions.ts';
import { type Inclusion, renderDetail, renderPendingDetail } from '../../schemas/transactions/transaction-detail.ts';

/** A confirmed or pending transaction with the optional fields of `include`. */
export async function findTransactionDetail(sql: Pool, id: Uint8Array, include: readonly Inclusion[], shape: Shape) {
  const found = await findCurrentTransaction(sql, id);
  if (!found) throw notFound('Transaction not found');
  return 'mined' in found ? renderDetail(found.mined, include, shape) : renderPendingDetail(found.pending, include);
}
