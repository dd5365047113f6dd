import { chainingLimit, expiry } from './mempool.ts';

/** Codes of findings about a transaction. */
export const diagnosisCodes = [
  'ready',
  'nonce_used',
  'nonce_gap',
  'nonce_competition',
  'waits_for_earlier',
  'chain_too_long',
  'fee_low',
  'balance_too_small',
  'expires_soon',
  'awaiting_node_report',
  'miner_only',
  'succeeded',
  'aborted_by_response',
  'aborted_by_post_condition',
  'skipped_as_problematic',
  'failed',
  'orphaned',
  'replaced',
  'too_expensive',
  'expired',
  'problematic',
  'dropped',
] as const;
export type DiagnosisCode = (typeof diagnosisCodes)[number];

/** One finding, for programs and for users. */
export type Reason = {
  code: DiagnosisCode;
  message: string;
  /** True if it cannot be mined in the present state. */
  blocking: boolean;
  /** The account it is about. */
  account?: string;
  nonces?: number[];
  txIds?: string[];
};

/** An account whose nonce a pending transaction uses: the sender, or the sponsor. */
export type Party = {
  address: string;
  nonce: number;
  /** The next nonce that the chain expects. */
  next: number;
  /** Pending nonces of the account, including this transaction. */
  pending: readonly { nonce: number; txId: string; fee: bigint }[];
  /** The spendable balance without the amounts of earlier pending transactions. */
  available: bigint;
  /** The amount that this transaction certainly takes. */
  needed: bigint;
};

export type PendingFacts = {
  txId: string;
  parties: readonly Party[];
  /** Share of the others of its type that pay less, half of those that pay as much, 0 to 100; undefined without others. */
  feePercentile: number | undefined;
  /** Seconds before Nakamoto's limit, or tenures before the older one. */
  left: { seconds: number } | { tenures: number };
  unreported: boolean;
  minerOnly: boolean;
};

const maxNamed = 100;
/** Below this share of its type, a fee is low. */
const lowPercentile = 25;
/** With less than a tenth of its life left, a transaction is about to expire. */
const soon = 0.1;

/** Why a transaction is still pending, blocking reasons first; only `ready` if there is none. */
export function diagnosePending(facts: PendingFacts): Reason[] {
  if (facts.minerOnly) {
    const message =
      'Only the miner of a block can make such a transaction. Its block was orphaned; it will not be mined.';
    return [{ code: 'miner_only', message, blocking: true }];
  }
  const reasons = [
    ...facts.parties.flatMap(party => diagnoseNonce(party, facts.txId)),
    ...facts.parties.flatMap(diagnoseBalance),
    ...diagnoseFee(facts),
    ...diagnoseAge(facts),
    ...diagnoseReport(facts),
  ].sort((a, b) => Number(b.blocking) - Number(a.blocking));
  if (reasons.length > 0) return reasons;
  const message = 'Nothing holds it up: its nonce is next and its fee is typical. It waits for a miner to take it.';
  return [{ code: 'ready', message, blocking: false }];
}

function diagnoseNonce({ address, nonce, next, pending }: Party, txId: string): Reason[] {
  const about = { account: address };
  if (nonce < next) {
    const message = `Nonce ${nonce} of ${address} was used by a mined transaction already (the next one is ${next}). This transaction can never be mined; sign it anew with nonce ${next}.`;
    return [{ code: 'nonce_used', message, blocking: true, ...about, nonces: [nonce] }];
  }
  const reasons: Reason[] = [];
  const known = new Set(pending.map(each => each.nonce));
  const missing: number[] = [];
  for (let n = next; n < nonce && missing.length < maxNamed; n++) if (!known.has(n)) missing.push(n);
  if (missing.length > 0) {
    const message = `${address} has no transaction with nonce ${listed(missing)}. Until ${missing.length === 1 ? 'it is' : 'they are'} sent, nonce ${nonce} cannot be mined.`;
    reasons.push({ code: 'nonce_gap', message, blocking: true, ...about, nonces: missing });
  }
  if (nonce - next > chainingLimit) {
    const message = `${nonce - next} nonces of ${address} must be used first; nodes admit ${chainingLimit}. Most nodes refuse or forget this transaction.`;
    reasons.push({ code: 'chain_too_long', message, blocking: true, ...about, nonces: [nonce] });
  }
  const earlier = pending.filter(each => each.nonce >= next && each.nonce < nonce);
  if (earlier.length > 0 && missing.length === 0) {
    const message = `${earlier.length} earlier ${earlier.length === 1 ? 'transaction' : 'transactions'} of ${address} must be mined first.`;
    reasons.push({ code: 'waits_for_earlier', message, blocking: false, ...about, txIds: idsOf(earlier) });
  }
  const rivals = pending.filter(each => each.nonce === nonce && each.txId !== txId);
  if (rivals.length > 0) {
    const own = pending.find(each => each.txId === txId)?.fee ?? 0n;
    const better = rivals.some(each => each.fee > own);
    const message = `${rivals.length === 1 ? 'Another transaction' : `${rivals.length} other transactions`} of ${address} with nonce ${nonce} ${rivals.length === 1 ? 'is' : 'are'} pending too, and one of them at most will be mined; ${better ? 'another pays' : 'this one pays'} the highest fee.`;
    reasons.push({ code: 'nonce_competition', message, blocking: false, ...about, txIds: idsOf(rivals) });
  }
  return reasons;
}

function diagnoseBalance({ address, available, needed }: Party): Reason[] {
  if (needed <= available) return [];
  const message = `${address} needs ${stx(needed)} STX for it and has ${stx(available > 0n ? available : 0n)} STX left after what is pending before it.`;
  return [{ code: 'balance_too_small', message, blocking: true, account: address }];
}

function diagnoseFee({ feePercentile }: PendingFacts): Reason[] {
  if (feePercentile === undefined || feePercentile >= lowPercentile) return [];
  const message = `Its fee is low: about ${Math.round(100 - feePercentile)}% of the pending transactions of its type pay more, and miners take those first.`;
  return [{ code: 'fee_low', message, blocking: false }];
}

function diagnoseAge({ left }: PendingFacts): Reason[] {
  const [share, words] =
    'seconds' in left
      ? [left.seconds / expiry.seconds, `${Math.max(0, Math.round(left.seconds / 60))} minutes`]
      : [left.tenures / expiry.tenures, `${Math.max(0, left.tenures)} tenures`];
  if (share >= soon) return [];
  const message = `It has waited long: nodes forget it in ${words} unless it is mined before. It can then be sent again.`;
  return [{ code: 'expires_soon', message, blocking: false }];
}

function diagnoseReport({ unreported }: PendingFacts): Reason[] {
  if (!unreported) return [];
  const message =
    'It was sent through this service and accepted by a node; no node has reported it in its mempool yet.';
  return [{ code: 'awaiting_node_report', message, blocking: false }];
}

const idsOf = (rows: readonly { txId: string }[]) => rows.slice(0, maxNamed).map(each => each.txId);

const listed = (nonces: readonly number[]) =>
  nonces.length > 5 ? `${nonces.slice(0, 5).join(', ')} and ${nonces.length - 5} more` : nonces.join(', ');

/** Micro-STX as STX, without zeros behind. */
const stx = (amount: bigint) =>
  `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`.replace(/\.?0+$/, '');

/** The result of a mined transaction. */
export function diagnoseMined(status: string, canonical: boolean, vmError: string): Reason {
  if (!canonical) {
    const message = 'A block held it that is no longer part of the chain, and it is not pending. It can be sent again.';
    return { code: 'orphaned', message, blocking: true };
  }
  const detail = vmError ? ` The virtual machine says: ${vmError}` : '';
  switch (status) {
    case 'success':
      return { code: 'succeeded', message: 'It was mined, and did what it says.', blocking: false };
    case 'abort_by_response': {
      const message = `It was mined, and the contract refused: everything was taken back but the fee.${detail}`;
      return { code: 'aborted_by_response', message, blocking: false };
    }
    case 'abort_by_post_condition': {
      const message = `It was mined, and moved other assets than its post-conditions allow: everything was taken back but the fee.${detail}`;
      return { code: 'aborted_by_post_condition', message, blocking: false };
    }
    case 'problematic_skipped': {
      const message = `It was mined, but skipped as problematic: it did nothing but pay its fee.${detail}`;
      return { code: 'skipped_as_problematic', message, blocking: false };
    }
    default:
      return { code: 'failed', message: `It was mined and failed (${status}).${detail}`, blocking: false };
  }
}

/** Why a transaction left the mempool; the status is the public one. */
export function diagnoseDropped(status: string, replacedBy: string | undefined): Reason {
  const by = replacedBy === undefined ? {} : { txIds: [replacedBy] };
  const name = replacedBy === undefined ? 'Another transaction' : `Transaction ${replacedBy}`;
  switch (status) {
    case 'dropped_replace_by_fee':
      return { code: 'replaced', message: `${name} with the same nonce took its place.`, blocking: true, ...by };
    case 'dropped_replace_across_fork':
      return {
        code: 'replaced',
        message: `${name} with the same nonce took its place when the chain forked.`,
        blocking: true,
        ...by,
      };
    case 'dropped_too_expensive':
      return { code: 'too_expensive', message: 'Nodes found that it costs more than a block may.', blocking: true };
    case 'dropped_stale_garbage_collect':
      return {
        code: 'expired',
        message: 'It waited too long and was forgotten. Nothing of it happened; it can be sent again.',
        blocking: true,
      };
    case 'dropped_problematic':
      return { code: 'problematic', message: 'Nodes refuse to execute it.', blocking: true };
    default:
      return { code: 'dropped', message: `Nodes dropped it (${status}).`, blocking: true };
  }
}
