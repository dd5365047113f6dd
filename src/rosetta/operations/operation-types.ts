/** Every kind of operation that blocks, pending transactions and construction speak of. */
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

/** What became of an operation, and whether its amount counts. */
const STATUSES: Record<string, boolean> = {
  success: true,
  pending: true,
  abort_by_response: false,
  abort_by_post_condition: false,
};

/** Those that the incumbent does not list: skipped by newer nodes, and whatever later ones may say. */
const FURTHER_STATUSES: Record<string, boolean> = { problematic_skipped: false, unknown: false };

export const listStatuses = (compat: boolean) =>
  Object.entries(compat ? STATUSES : { ...STATUSES, ...FURTHER_STATUSES }).map(([status, successful]) => ({
    status,
    successful,
  }));

/** The empty status is that of a transaction which is still being made. */
export const isKnownStatus = (status: string): boolean =>
  status === '' || status in STATUSES || status in FURTHER_STATUSES;

/** Whether the amount of an operation with this status counts. */
export const isSuccessful = (status: string | undefined): boolean =>
  status !== undefined && (STATUSES[status] ?? FURTHER_STATUSES[status] ?? false);
