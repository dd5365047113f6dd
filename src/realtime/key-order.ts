/**
 * The order in which clients of the older service got the keys of each object; some compare texts. Keys not named follow.
 */
const costs = [
  'execution_cost_read_count',
  'execution_cost_read_length',
  'execution_cost_runtime',
  'execution_cost_write_count',
  'execution_cost_write_length',
];

export const keyOrders = {
  block: [
    'canonical',
    'height',
    'hash',
    'block_time',
    'block_time_iso',
    'tenure_height',
    'index_block_hash',
    'parent_block_hash',
    'burn_block_time',
    'burn_block_time_iso',
    'burn_block_hash',
    'burn_block_height',
    'miner_txid',
    'parent_microblock_hash',
    'parent_microblock_sequence',
    'txs',
    'microblocks_accepted',
    'microblocks_streamed',
    ...costs,
    'microblock_tx_count',
  ],
  transaction: [
    'tx_id',
    'nonce',
    'sponsor_nonce',
    'fee_rate',
    'sender_address',
    'sponsored',
    'sponsor_address',
    'post_condition_mode',
    'post_conditions',
    'anchor_mode',
    'is_unanchored',
    'block_hash',
    'parent_block_hash',
    'block_height',
    'block_time',
    'block_time_iso',
    'burn_block_height',
    'burn_block_time',
    'burn_block_time_iso',
    'parent_burn_block_time',
    'parent_burn_block_time_iso',
    'canonical',
    'tx_index',
    'tx_status',
    'tx_result',
    'microblock_hash',
    'microblock_sequence',
    'microblock_canonical',
    'event_count',
    'events',
    ...costs,
    'vm_error',
    'tx_type',
  ],
  microblock: [
    'canonical',
    'microblock_canonical',
    'microblock_hash',
    'microblock_sequence',
    'microblock_parent_hash',
    'block_height',
    'parent_block_height',
    'parent_block_hash',
    'block_hash',
    'txs',
    'parent_burn_block_height',
    'parent_burn_block_hash',
    'parent_burn_block_time',
    'parent_burn_block_time_iso',
  ],
  balance: [
    'balance',
    'total_sent',
    'total_received',
    'total_fees_sent',
    'total_miner_rewards_received',
    'lock_tx_id',
    'locked',
    'lock_height',
    'burnchain_lock_height',
    'burnchain_unlock_height',
  ],
} as const satisfies Record<string, readonly string[]>;

/** The same object with its keys in an order. */
export function inOrder<T extends object>(value: T, order: readonly string[]): T {
  const entries: [string, unknown][] = [];
  const known = value as Record<string, unknown>;
  for (const key of order) if (key in known) entries.push([key, known[key]]);
  const named = new Set(order);
  for (const key of Object.keys(known)) if (!named.has(key)) entries.push([key, known[key]]);
  return Object.fromEntries(entries) as T;
}
