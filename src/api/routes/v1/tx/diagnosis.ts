import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { diagnoseDropped, diagnoseMined, diagnosePending } from '../../../../chain/mempool/diagnosis.ts';
import { mempoolStatus } from '../../../../chain/mempool/mempool.ts';
import { inSnapshot } from '../../../../db/pool/snapshot.ts';
import { notFound } from '../../../../errors.ts';
import { findTransactions } from '../../../../queries/transactions/lookup.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { Diagnosis, renderDiagnosis } from '../../../../schemas/mempool/diagnosis.ts';
import { renderMempoolTransaction } from '../../../../schemas/mempool/mempool-transaction.ts';
import { renderTransaction } from '../../../../schemas/transactions/transaction.ts';
import { findPendingFacts, renderPendingDiagnosis } from '../../../../views/mempool/pending-facts.ts';
import { TransactionIdParam, transactionIdOf } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

export const v1TxDiagnosis: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql: pool }) => {
  app.get(
    '/extended/v1/tx/:tx_id/diagnosis',
    {
      // How long it has left depends on the clock.
      config: { freshness: 'none', readsChain: true, cost: 5 },
      schema: {
        operationId: 'get_transaction_diagnosis',
        summary: 'Diagnose a transaction',
        description:
          'Explains why a transaction is still pending, or what happened to it: missing nonces, a low fee, ' +
          'insufficient funds, a replacement, or an abort. Causes that block the transaction come first. The status ' +
          'is 404 if no block holds the transaction and no node has reported it.',
        tags: ['Transactions'],
        params: Type.Object({ tx_id: TransactionIdParam }),
        response: { 200: Diagnosis, 404: ErrorBody },
      },
    },
    async ({ params }) => {
      const id = transactionIdOf(params.tx_id);
      return await inSnapshot(pool, async sql => {
        const options = { events: { offset: 0, limit: 0 }, unanchored: true };
        const [known] = (await findTransactions(sql, [id], options)).values();
        if (!known) {
          throw notFound(
            'could not find transaction by ID: no block holds it and no node has reported it. It was never sent, or it was dropped long ago',
          );
        }
        if ('waiting' in known) {
          const { tx_id, tx_status, replaced_by_tx_id } = renderMempoolTransaction(known.waiting);
          if (known.waiting.status === mempoolStatus.dropped) {
            const reason = diagnoseDropped(tx_status, replaced_by_tx_id ?? undefined);
            return renderDiagnosis({ tx_id, state: 'dropped', tx_status }, [reason]);
          }
          const now = Math.floor(Date.now() / 1000);
          const found = await findPendingFacts(sql, known.waiting, now);
          return renderPendingDiagnosis(found, diagnosePending(found.facts));
        }
        const { tx_id, tx_status, canonical, vm_error } = renderTransaction(known.transaction);
        const outcome = tx_status === 'success' ? 'success' : 'failed';
        return renderDiagnosis({ tx_id, state: canonical ? outcome : 'orphaned', tx_status }, [
          diagnoseMined(tx_status, canonical, vm_error ?? ''),
        ]);
      });
    },
  );
};
