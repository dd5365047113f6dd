export type StatusKind = 'good' | 'bad' | 'wait' | 'off';
export type StatusWords = { label: string; kind: StatusKind; meaning: string };

const statuses: Readonly<Record<string, StatusWords>> = {
  success: { label: 'Confirmed', kind: 'good', meaning: 'The transaction is in a block and did what it says.' },
  pending: { label: 'Pending', kind: 'wait', meaning: 'The transaction waits for a block.' },
  abort_by_response: {
    label: 'Failed',
    kind: 'bad',
    meaning: 'The contract returned an error. Nothing but the fee was moved.',
  },
  abort_by_post_condition: {
    label: 'Failed by post-condition',
    kind: 'bad',
    meaning: 'The transaction would have moved other assets than its sender allowed. Nothing but the fee was moved.',
  },
  problematic_skipped: { label: 'Skipped', kind: 'bad', meaning: 'Miners skipped the transaction as problematic.' },
  dropped_replace_by_fee: {
    label: 'Replaced',
    kind: 'off',
    meaning: 'The sender replaced it by another transaction with the same nonce and a higher fee.',
  },
  dropped_replace_across_fork: {
    label: 'Replaced',
    kind: 'off',
    meaning: 'After a fork, another transaction with the same nonce took its place.',
  },
  dropped_too_expensive: { label: 'Dropped', kind: 'off', meaning: 'It was too expensive to run in a block.' },
  dropped_stale_garbage_collect: {
    label: 'Expired',
    kind: 'off',
    meaning: 'It waited too long, and nodes removed it.',
  },
  dropped_problematic: { label: 'Dropped', kind: 'off', meaning: 'Nodes removed it as problematic.' },
};

/** A status for people. A status that is not known is shown as it is. */
export function statusWords(status: string, canonical = true): StatusWords {
  if (!canonical) {
    return { label: 'Orphaned', kind: 'off', meaning: 'Its block is not part of the chain: a fork replaced it.' };
  }
  return statuses[status] ?? { label: status.replaceAll('_', ' '), kind: 'off', meaning: status };
}
