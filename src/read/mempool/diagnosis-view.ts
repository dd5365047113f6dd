import { diagnoseDropped, diagnoseMined, diagnosePending } from '../../chain/mempool/diagnosis.ts';
import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import type { Reader } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import { findTransactions } from '../transactions/lookup-queries.ts';
import { renderTransaction } from '../transactions/transaction-schema.ts';
import { type Diagnosis, renderDiagnosis } from './diagnosis-schema.ts';
import { renderMempoolTransaction } from './mempool-transaction-schema.ts';
import { findReceiptTime } from './mined-arrivals-queries.ts';
import { findPendingFacts, renderPendingDiagnosis } from './pending-facts-view.ts';

/** Why a transaction is pending at `now` (Unix seconds), or its outcome; 404 where no block and no node has it. */
export const diagnoseTransaction = (pool: Reader, id: Uint8Array, now: number): Promise<Diagnosis> =>
  inSnapshot(pool, async sql => {
    const options = { events: { offset: 0, limit: 0 }, unanchored: true, interfaces: undefined };
    const [known] = (await findTransactions(sql, [id], options)).values();
    if (!known) {
      throw notFound(
        'could not find transaction by ID: no block holds it and no node has reported it. It may never have been sent, or was forgotten long ago',
      );
    }
    if ('waiting' in known) {
      const { tx_id, tx_status, replaced_by_tx_id } = renderMempoolTransaction(known.waiting);
      if (known.waiting.status === mempoolStatus.dropped) {
        const reason = diagnoseDropped(tx_status, replaced_by_tx_id ?? undefined);
        const receipt_time = known.waiting.received_at;
        return renderDiagnosis({ tx_id, state: 'dropped', tx_status, receipt_time }, [reason]);
      }
      const found = await findPendingFacts(sql, known.waiting, now);
      return renderPendingDiagnosis(found, diagnosePending(found.facts));
    }
    const { tx_id, tx_status, canonical, vm_error } = renderTransaction(known.transaction);
    const outcome = tx_status === 'success' ? 'success' : 'failed';
    const { height, place } = known.transaction;
    const received = canonical ? await findReceiptTime(sql, height, place) : undefined;
    const judged = {
      tx_id,
      state: canonical ? outcome : ('orphaned' as const),
      tx_status,
      ...(received !== undefined && { receipt_time: received }),
    } as const;
    return renderDiagnosis(judged, [diagnoseMined(tx_status, canonical, vm_error ?? '')]);
  });
