import { toHex } from '@cairn-stacks/codec/hex';
import type { Sql } from '../../db/client.ts';
import type { Metrics } from '../../metrics.ts';
import { findProposalGauges, listSignerGauges } from './signer-gauge-queries.ts';

/** Sets the gauges of proposals and signers; signers of past cycles have none. */
export async function measureSigners(metrics: Metrics, sql: Sql): Promise<void> {
  const [proposals, signers] = await Promise.all([findProposalGauges(sql), listSignerGauges(sql)]);
  metrics.signerPendingAge.set({ which: 'oldest' }, Math.max(0, proposals.pending_oldest ?? 0));
  metrics.signerPendingAge.set({ which: 'newest' }, Math.max(0, proposals.pending_newest ?? 0));
  for (const { period, acceptance, push_seconds } of proposals.periods) {
    metrics.signerAcceptance.set({ period: String(period) }, acceptance);
    if (push_seconds !== null) metrics.signerPushTime.set({ period: String(period) }, push_seconds);
  }
  metrics.signerResponses.reset();
  metrics.signerWeight.reset();
  const weight = new Map(signers.map(row => [toHex(row.key), row.weight]));
  const total = [...weight.values()].reduce((sum, each) => sum + each, 0);
  for (const [signer, each] of weight) metrics.signerWeight.set({ signer }, total === 0 ? 0 : each / total);
  for (const { key, period, proposals: proposed, accepted, rejected } of signers) {
    const labels = { signer: toHex(key), period: String(period) };
    metrics.signerResponses.set({ ...labels, state: 'accepted' }, accepted);
    metrics.signerResponses.set({ ...labels, state: 'rejected' }, rejected);
    metrics.signerResponses.set({ ...labels, state: 'missing' }, proposed - accepted - rejected);
  }
}
