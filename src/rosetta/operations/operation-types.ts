/** The operation types of the incumbent. */
const COMPAT_TYPES = [
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

/** Every operation type of blocks, pending transactions and construction. */
const TYPES = [
  'fee',
  'token_transfer',
  'token_mint',
  'token_burn',
  'contract_call',
  'contract_deploy',
  'contract_log',
  'coinbase',
  'tenure_change',
  'poison_microblock',
  'miner_reward',
  'stx_lock',
  'stx_unlock',
  'stack_stx',
  'stack_extend',
  'stack_increase',
  'delegate_stx',
  'delegate_stack_stx',
  'delegate_stack_extend',
  'delegate_stack_increase',
  'revoke_delegate_stx',
  'stack_aggregation_commit',
  'stack_aggregation_commit_indexed',
  'stack_aggregation_increase',
  'handle_unlock',
  'stake',
  'stake_update',
  'unstake',
  'register_for_bond',
] as const;

export type OperationType = (typeof TYPES)[number] | (typeof COMPAT_TYPES)[number];

/** The operation types as `/network/options` lists them. */
export const listTypes = (compat: boolean): OperationType[] => [...(compat ? COMPAT_TYPES : TYPES)];

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
