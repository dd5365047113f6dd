/** Every operation type of blocks, pending transactions and construction. */
export const OPERATION_TYPES = [
  'token_transfer',
  'contract_call',
  'smart_contract',
  'coinbase',
  'poison_microblock',
  'fee',
  'mint',
  'burn',
  'miner_reward',
  'stx_lock',
  'stx_unlock',
  'stack_stx',
  'delegate_stx',
  'revoke_delegate_stx',
  'tenure_change',
] as const;

export type OperationType = (typeof OPERATION_TYPES)[number];

/** The operation statuses, and whether the amount applies. */
const STATUSES: Record<string, boolean> = {
  success: true,
  pending: true,
  abort_by_response: false,
  abort_by_post_condition: false,
};

/** Statuses that the incumbent does not list: skipped ones of newer nodes, and unknown ones. */
const FURTHER_STATUSES: Record<string, boolean> = { problematic_skipped: false, unknown: false };

export const listStatuses = (compat: boolean) =>
  Object.entries(compat ? STATUSES : { ...STATUSES, ...FURTHER_STATUSES }).map(([status, successful]) => ({
    status,
    successful,
  }));

/** The empty status is that of a transaction under construction. */
export const isKnownStatus = (status: string): boolean =>
  status === '' || status in STATUSES || status in FURTHER_STATUSES;

/** True if the amount of an operation with this status applies. */
export const isSuccessful = (status: string | undefined): boolean =>
  status !== undefined && (STATUSES[status] ?? FURTHER_STATUSES[status] ?? false);
