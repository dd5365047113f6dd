/** What a release 4.0 node sends, key by key: `path key: kinds`; `?` marks a key that not every message has. */
const cost = (at: string) =>
  ['runtime', 'read_count', 'read_length', 'write_count', 'write_length'].map(key => `${at}.${key}: number`);
const event = (type: string, ...fields: string[]) => [
  `events[].${type}?: object`,
  ...fields.map(field => `events[].${type}.${field}`),
];

export const blockShape = [
  ...['block_hash', 'index_block_hash', 'parent_block_hash', 'parent_index_block_hash', 'burn_block_hash'].map(
    key => `${key}: 0x`,
  ),
  ...['parent_burn_block_hash', 'miner_txid', 'parent_microblock', 'consensus_hash'].map(key => `${key}: 0x`),
  ...['block_height', 'burn_block_height', 'burn_block_time', 'parent_microblock_sequence'].map(
    key => `${key}: number`,
  ),
  ...['parent_burn_block_height', 'parent_burn_block_timestamp', 'tenure_height'].map(key => `${key}: number`),
  ...[1, 2, 3, 4].map(version => `pox_v${version}_unlock_height: number`),
  'block_time: number null',
  'signer_bitvec: hex null',
  'cycle_number: number null',
  'reward_set: object null',
  'reward_set.rewarded_addresses: array',
  'reward_set.rewarded_addresses[]?: text',
  'reward_set.start_cycle_state: object',
  'reward_set.start_cycle_state.missed_reward_slots: array',
  'reward_set.pox_ustx_threshold: digits null',
  'reward_set.signers: array',
  'reward_set.signers[].signing_key: hex',
  'reward_set.signers[].stacked_amt: digits',
  'reward_set.signers[].weight: number',
  'signer_signature_hash?: 0x',
  'miner_signature?: 0x',
  'signer_signature?: array',
  'signer_signature[]?: hex',
  'anchored_cost: object',
  ...cost('anchored_cost'),
  'confirmed_microblocks_cost: object',
  ...cost('confirmed_microblocks_cost'),
  'matured_miner_rewards: array',
  ...['recipient: text', 'miner_address: text', 'coinbase_amount: digits', 'tx_fees_anchored: digits'].map(
    key => `matured_miner_rewards[].${key}`,
  ),
  ...['tx_fees_streamed_confirmed: digits', 'tx_fees_streamed_produced: digits'].map(
    key => `matured_miner_rewards[].${key}`,
  ),
  ...['from_stacks_block_hash: 0x', 'from_index_consensus_hash: 0x'].map(key => `matured_miner_rewards[].${key}`),
  'transactions: array',
  ...['txid: 0x', 'tx_index: number', 'status: text', 'raw_result: 0x', 'raw_tx: 0x'].map(
    key => `transactions[].${key}`,
  ),
  ...['contract_interface: object null', 'burnchain_op: object null', 'vm_error: text null'].map(
    key => `transactions[].${key}`,
  ),
  ...['microblock_sequence: number null', 'microblock_hash: 0x null', 'microblock_parent_hash: 0x null'].map(
    key => `transactions[].${key}`,
  ),
  'transactions[].execution_cost: object',
  ...cost('transactions[].execution_cost'),
  'events: array',
  ...['txid: 0x', 'event_index: number', 'committed: boolean', 'type: text'].map(key => `events[].${key}`),
  ...event('stx_transfer_event', 'sender: text', 'recipient: text', 'amount: digits', 'memo: hex digits'),
  ...event('stx_mint_event', 'recipient: text', 'amount: digits'),
  ...event('stx_burn_event', 'sender: text', 'amount: digits'),
  ...event(
    'stx_lock_event',
    ...['locked_address: text', 'locked_amount: digits', 'unlock_height: digits', 'contract_identifier: text'],
  ),
  ...event('ft_transfer_event', 'asset_identifier: text', 'sender: text', 'recipient: text', 'amount: digits'),
  ...event('ft_mint_event', 'asset_identifier: text', 'recipient: text', 'amount: digits'),
  ...event('ft_burn_event', 'asset_identifier: text', 'sender: text', 'amount: digits'),
  ...event('nft_transfer_event', 'asset_identifier: text', 'sender: text', 'recipient: text', 'raw_value: 0x'),
  ...event('nft_mint_event', 'asset_identifier: text', 'recipient: text', 'raw_value: 0x'),
  ...event('nft_burn_event', 'asset_identifier: text', 'sender: text', 'raw_value: 0x'),
  ...event('contract_event', 'contract_identifier: text', 'topic: text', 'raw_value: 0x'),
];

export const burnBlockShape = [
  ...['burn_block_hash: 0x', 'burn_block_height: number', 'burn_amount: number', 'consensus_hash: 0x'],
  ...['parent_burn_block_hash: 0x', 'reward_recipients: array', 'reward_recipients[].recipient: text'],
  ...['reward_recipients[].amt: number', 'reward_slot_holders: array', 'reward_slot_holders[]?: text'],
  ...['pox_transactions: array', 'pox_transactions[].txid: 0x', 'pox_transactions[].reward_recipients: array'],
  ...['recipient: text', 'amt: number', 'utxo_idx: number'].map(key => `pox_transactions[].reward_recipients[].${key}`),
];

export const dropShape = [...['dropped_txids: array', 'dropped_txids[]?: 0x', 'reason: text', 'new_txid: 0x null']];

export const mempoolShape = ['[]?: 0x'];
