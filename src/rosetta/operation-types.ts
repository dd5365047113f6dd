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
export const OPERATION_STATUSES = [
  { status: 'success', successful: true },
  { status: 'pending', successful: true },
  { status: 'abort_by_response', successful: false },
  { status: 'abort_by_post_condition', successful: false },
];
