import type { Block } from '../chain/block.ts';
import { statusCodes } from '../chain/transaction.ts';
import { healedKey, sourceKey } from './messages.ts';

/** Something in an event that this program does not know: its context and its name. */
export type UnknownItem = { kind: string; name: string };

const words = (text: string) => new Set(text.split(' '));

/** Fields that releases up to 4.0.2 send, by object, and the markers that Cairn adds itself. */
const fields = {
  block: words(
    'block_hash index_block_hash block_height parent_block_hash parent_index_block_hash burn_block_hash burn_block_height ' +
      'burn_block_time miner_txid parent_microblock parent_microblock_sequence matured_miner_rewards events transactions ' +
      'parent_burn_block_hash parent_burn_block_height parent_burn_block_timestamp anchored_cost ' +
      'confirmed_microblocks_cost pox_v1_unlock_height pox_v2_unlock_height pox_v3_unlock_height pox_v4_unlock_height ' +
      'signer_bitvec reward_set cycle_number block_time tenure_height consensus_hash signer_signature_hash miner_signature ' +
      'signer_signature',
  ).add(healedKey),
  transaction: words(
    'txid tx_index status raw_result raw_tx contract_abi contract_interface burnchain_op execution_cost ' +
      'microblock_sequence microblock_hash microblock_parent_hash vm_error problematic_skipped',
  ),
  reward_set: words('rewarded_addresses start_cycle_state signers pox_ustx_threshold'),
  burn_block: words(
    'burn_block_hash burn_block_height burn_amount reward_recipients reward_slot_holders consensus_hash ' +
      'parent_burn_block_hash pox_transactions',
  ).add(sourceKey),
  pox_transaction: words('txid reward_recipients apparent_sender miner_address'),
  pox_output: words('recipient amt utxo_idx'),
  reward_recipient: words('recipient amt'),
} as const;

const burnOperations = words('transfer_stx stack_stx delegate_stx vote_for_aggregate_key pre_stx');
const epochs = words(
  'Epoch10 Epoch20 Epoch2_05 Epoch21 Epoch22 Epoch23 Epoch24 Epoch25 Epoch30 Epoch31 Epoch32 Epoch33 Epoch34 Epoch40 Epoch41',
);
const clarityVersions = words('Clarity1 Clarity2 Clarity3 Clarity4 Clarity5 Clarity6 Clarity7');

type Json = Record<string, unknown>;

const unknownFields = (place: keyof typeof fields, json: unknown): UnknownItem[] =>
  json === null || typeof json !== 'object'
    ? []
    : Object.keys(json)
        .filter(key => !(fields[place] as ReadonlySet<string>).has(key))
        .map(key => ({ kind: 'field', name: `${place}.${key}` }));

/** Unknown items in `/new_block`; `block` is the same message, decoded. */
export function unknownInBlock(message: unknown, { receipts }: Block): UnknownItem[] {
  const json = message as Json;
  const items = [...unknownFields('block', json), ...unknownFields('reward_set', json.reward_set)];
  for (const transaction of json.transactions as Json[]) {
    items.push(...unknownFields('transaction', transaction));
    items.push(...unknownInInterface((transaction.contract_interface ?? transaction.contract_abi) as Json | null));
    for (const kind of Object.keys((transaction.burnchain_op as Json | null | undefined) ?? {})) {
      if (!burnOperations.has(kind)) items.push({ kind: 'burn operation', name: kind });
    }
  }
  for (const { status, transaction, events } of receipts) {
    if (!(status in statusCodes)) items.push({ kind: 'status', name: status });
    for (const { what, code } of transaction?.unknown ?? []) items.push({ kind: what, name: String(code) });
    for (const event of events) if (event.kind === 'unknown') items.push({ kind: 'event type', name: event.type });
  }
  return items;
}

function unknownInInterface(abi: Json | null | undefined): UnknownItem[] {
  const { epoch, clarity_version: version } = abi ?? {};
  return [
    ...(typeof epoch === 'string' && !epochs.has(epoch) ? [{ kind: 'epoch', name: epoch }] : []),
    ...(typeof version === 'string' && !clarityVersions.has(version)
      ? [{ kind: 'Clarity version', name: version }]
      : []),
  ];
}

/** Unknown items in `/new_burn_block`. */
export function unknownInBurnBlock(message: unknown): UnknownItem[] {
  const { pox_transactions, reward_recipients } = message as Json;
  const transactions = listOf(pox_transactions);
  return [
    ...unknownFields('burn_block', message),
    ...listOf(reward_recipients).flatMap(each => unknownFields('reward_recipient', each)),
    ...transactions.flatMap(each => unknownFields('pox_transaction', each)),
    ...transactions
      .flatMap(each => listOf((each as Json | null)?.reward_recipients))
      .flatMap(each => unknownFields('pox_output', each)),
  ];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
