import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { decodeAccepted } from '@cairn-stacks/codec/transaction/transaction';
import type { Party, PendingFacts, Reason } from '../../chain/mempool/diagnosis.ts';
import { expiry, minerPayloads } from '../../chain/mempool/mempool.ts';
import { feeOf, originOf, sponsorOf } from '../../chain/pox/signer.ts';
import type { Sql } from '../../db/client.ts';
import { renderStxHolding } from '../principals/balance-schema.ts';
import { listNonceChain } from '../principals/nonce-chain-queries.ts';
import { findExecutedNonce } from '../principals/nonces-queries.ts';
import { findStxBalance } from '../principals/stx-balances-queries.ts';
import { findPendingPlace, sumEarlierSpends } from './diagnosis-queries.ts';
import { type Diagnosis, renderDiagnosis, renderExpiry } from './diagnosis-schema.ts';
import type { MempoolTransaction } from './mempool-queries.ts';

/** The facts for the diagnosis of a pending transaction, and the fields that are shown with it. */
type Found = {
  facts: PendingFacts;
  fee: NonNullable<Diagnosis['fee']>;
  expires: NonNullable<Diagnosis['expires']>;
};

export async function findPendingFacts(sql: Sql, waiting: MempoolTransaction, now: number): Promise<Found> {
  const transaction = decodeAccepted(waiting.raw);
  const { payload, auth } = transaction;
  const fee = feeOf(transaction);
  const amount = payload.type === 'token_transfer' ? payload.amount : 0n;
  const sponsor = sponsorOf(transaction);
  const parties = [
    await findParty(sql, originOf(transaction), auth.origin.nonce, sponsor ? amount : amount + fee),
    ...(sponsor && auth.sponsor ? [await findParty(sql, sponsor, auth.sponsor.nonce, fee)] : []),
  ];
  const place = await findPendingPlace(sql, waiting.tx_id);
  if (!place) throw new Error(`${toHex(waiting.tx_id)} is not pending`);
  const { others, cheaper, equal } = place;
  const left = place.nakamoto
    ? { seconds: place.received_at + expiry.seconds - now }
    : { tenures: place.received_tenure + expiry.tenures - place.tenure };
  const percentile = others > 0 ? Math.floor((100 * (cheaper + equal / 2)) / others) : undefined;
  return {
    facts: {
      txId: toHex(waiting.tx_id),
      parties,
      feePercentile: percentile,
      left,
      unreported: waiting.unreported,
      minerOnly: minerPayloads.includes(waiting.type),
    },
    fee: { fee_rate: fee.toString(), percentile: percentile ?? null, compared_with: others },
    expires: renderExpiry(place.received_at, now, left),
  };
}

export const renderPendingDiagnosis = ({ facts, fee, expires }: Found, reasons: readonly Reason[]): Diagnosis => ({
  ...renderDiagnosis(
    { tx_id: facts.txId, state: 'pending', tx_status: 'pending', receipt_time: expires.receipt_time },
    reasons,
  ),
  fee,
  expires,
});

async function findParty(sql: Sql, address: string, nonce: bigint, needed: bigint): Promise<Party> {
  const principal = principalToBytes(address);
  const [executed, pending, balance, spent] = await Promise.all([
    findExecutedNonce(sql, principal, 'unanchored'),
    listNonceChain(sql, principal),
    findStxBalance(sql, principal, 'unanchored'),
    sumEarlierSpends(sql, principal, nonce),
  ]);
  const stx = balance && renderStxHolding(balance);
  const available = stx ? BigInt(stx.balance) - BigInt(stx.locked) - spent : 0n;
  return {
    address,
    nonce: Number(nonce),
    next: (executed?.nonce ?? -1) + 1,
    pending: pending.map(row => ({ nonce: Number(row.nonce), txId: toHex(row.tx_id), fee: row.fee })),
    available,
    needed,
  };
}
