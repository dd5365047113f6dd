import type { Reader } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { findPending, type PendingRow } from '../mempool/pending-summaries-queries.ts';
import { type DetailRow, findDetail } from './summaries-queries.ts';

/** A transaction of the chain, or one that waits; what was orphaned or dropped is neither. */
export async function findCurrentTransaction(
  pool: Reader,
  id: Uint8Array,
): Promise<{ mined: DetailRow } | { pending: PendingRow } | undefined> {
  const mined = await findDetail(pool, id);
  if (mined) return { mined };
  // It may be mined between two statements: both read one state.
  return await inSnapshot(pool, async sql => {
    const since = await findDetail(sql, id);
    if (since) return { mined: since };
    const pending = await findPending(sql, id);
    return pending && { pending };
  });
}
