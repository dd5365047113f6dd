import { toHex } from '@cairn-stacks/codec/hex';
import { mainnetPox } from '../chain/pox/geometry.ts';
import type { HookBlock, HookTransaction } from './block.ts';
import { plainText } from './condition.ts';
import { costOf, microblockOf, signaturesOf } from './event-block.ts';
import { movementsOf, receiptOf } from './receipt.ts';
import { JsonText } from './value-text.ts';

export type OccurrenceOptions = {
  /** The key of `networks` in the predicate. */
  network: string;
  decode_clarity_values?: boolean;
  include_contract_abi?: boolean;
};

/** A block with some of its transactions, as Chainhook 1.x shows it. */
export function renderOccurrenceBlock({ row }: HookBlock, chosen: HookTransaction[], options: OccurrenceOptions) {
  const { signer_bitvec, signer_signatures } = signaturesOf(row);
  const cycle = options.network === 'mainnet' ? mainnetPox : undefined;
  const passed = cycle ? row.burn_height - cycle.first : 0;
  return {
    block_identifier: { index: row.height, hash: toHex(row.index_hash) },
    parent_block_identifier: { index: row.height - 1, hash: toHex(row.parent_index_hash) },
    timestamp: row.parent_burn_time,
    transactions: chosen.map(each => renderTransaction(each, options)),
    metadata: {
      bitcoin_anchor_block_identifier: { index: row.burn_height, hash: toHex(row.burn_hash) },
      stacks_block_hash: toHex(row.hash),
      pox_cycle_index: cycle ? Math.floor(passed / cycle.length) : 0,
      pox_cycle_position: cycle ? passed % cycle.length : 0,
      pox_cycle_length: cycle?.length ?? 0,
      confirm_microblock_identifier:
        row.microblock.length === 0 ? null : { index: row.microblock_sequence, hash: toHex(row.microblock) },
      block_time: row.time || null,
      tenure_height: row.tenure < 0 ? null : row.tenure,
      signer_bitvec,
      signer_signature: signer_signatures,
      signer_public_keys: null,
      cycle_number: null,
      reward_set: null,
    },
  };
}

function renderTransaction(transaction: HookTransaction, options: OccurrenceOptions) {
  const { body, raw, result, abi } = transaction;
  const microblock = microblockOf(body);
  return {
    transaction_identifier: { hash: body.tx_id },
    operations: movementsOf(transaction),
    metadata: {
      success: body.tx_status === 'success',
      raw_tx: toHex(raw),
      result: plainText(result),
      sender: body.sender_address,
      nonce: body.nonce,
      fee: Number(body.fee_rate),
      kind: kindOf(transaction),
      receipt: receiptOf(transaction, options.decode_clarity_values === true),
      description: descriptionOf(body),
      sponsor: body.sponsor_address ?? null,
      execution_cost: costOf(body),
      position: { index: body.tx_index, ...(microblock && { micro_block_identifier: microblock }) },
      proof: null,
      ...(options.include_contract_abi && abi !== undefined && { contract_abi: new JsonText(abi) }),
    },
  };
}

function kindOf({ body, raw }: HookTransaction): object {
  // An operation of a Bitcoin transaction has no bytes.
  if (raw.length === 1) return { type: 'Unsupported' };
  switch (body.tx_type) {
    case 'contract_call': {
      const { contract_id, function_name, function_args = [] } = body.contract_call;
      const args = function_args.map(({ hex }) => plainText(Buffer.from(hex.slice(2), 'hex')));
      return { type: 'ContractCall', data: { contract_identifier: contract_id, method: function_name, args } };
    }
    case 'smart_contract': {
      const { contract_id, source_code } = body.smart_contract;
      return { type: 'ContractDeployment', data: { contract_identifier: contract_id, code: source_code } };
    }
    case 'token_transfer':
      return { type: 'NativeTokenTransfer' };
    case 'coinbase':
      return { type: 'Coinbase' };
    case 'tenure_change':
      return { type: 'TenureChange' };
    default:
      return { type: 'Unsupported' };
  }
}

function descriptionOf(body: HookTransaction['body']): string {
  switch (body.tx_type) {
    case 'contract_call': {
      const { contract_id, function_name, function_args = [] } = body.contract_call;
      return `invoked: ${contract_id}::${function_name}(${function_args.map(({ repr }) => repr).join(', ')})`;
    }
    case 'smart_contract':
      return `deployed: ${body.smart_contract.contract_id}`;
    case 'token_transfer': {
      const { recipient_address, amount } = body.token_transfer;
      return `transfered: ${amount} µSTX from ${body.sender_address} to ${recipient_address}`;
    }
    default:
      return body.tx_type.replaceAll('_', ' ');
  }
}
