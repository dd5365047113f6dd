import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import type { HookBlock, HookTransaction } from './block.ts';
import type { Options } from './definition-schema.ts';
import { operationsOf } from './operations.ts';

const SIGNATURE_BYTES = 65;

/** A block with some of its transactions, as Chainhooks 2.0 shows it. */
export function renderEventBlock({ row, transactions: all }: HookBlock, chosen: HookTransaction[], options: Options) {
  const withMetadata = options.include_block_metadata || options.include_block_signatures;
  return {
    block_identifier: { hash: toHex(row.index_hash), index: row.height },
    parent_block_identifier: { hash: toHex(row.parent_index_hash), index: row.height - 1 },
    timestamp: row.time || row.burn_time,
    transactions: chosen.map(each => renderTransaction(each, options)),
    ...(withMetadata && { metadata: metadataOf({ row, transactions: all }, options) }),
  };
}

function metadataOf({ row, transactions }: HookBlock, options: Options) {
  const { microblock, microblock_sequence: sequence } = row;
  return {
    canonical: true,
    burn_block_identifier: { hash: toHex(row.burn_hash), index: row.burn_height },
    burn_block_timestamp: row.burn_time,
    parent_microblock_identifier: microblock.length === 0 ? null : { hash: toHex(microblock), index: sequence },
    tenure_height: row.tenure,
    execution_cost: {
      read_count: row.read_count,
      read_length: Number(row.read_length),
      runtime: Number(row.runtime),
      write_count: row.write_count,
      write_length: Number(row.write_length),
    },
    tx_total_size: transactions.reduce((sum, { raw }) => sum + raw.length, 0),
    tx_count: row.tx_count,
    ...(options.include_block_signatures && { signatures: signaturesOf(row) }),
  };
}

/** Null where a block has none, as before Nakamoto. */
export function signaturesOf({ signer_bitvec: bits, signatures }: HookBlock['row']) {
  const each = Array.from({ length: signatures.length / SIGNATURE_BYTES }, (_, i) =>
    toHex(signatures.subarray(i * SIGNATURE_BYTES, (i + 1) * SIGNATURE_BYTES)),
  );
  return {
    signer_bitvec: bits.length === 0 ? null : toHex(bits),
    signer_signatures: each.length === 0 ? null : each,
  };
}

function renderTransaction(transaction: HookTransaction, options: Options) {
  const { body, raw, result } = transaction;
  const { post_condition_mode: mode, post_conditions } = body;
  return {
    transaction_identifier: { hash: body.tx_id },
    operations: operationsOf(transaction, options),
    metadata: {
      canonical: true,
      microblock_canonical: body.microblock_canonical,
      execution_cost: costOf(body),
      fee_rate: body.fee_rate,
      nonce: body.nonce,
      type: body.tx_type === 'smart_contract' ? 'contract_deploy' : body.tx_type,
      ...(options.include_post_conditions && { post_conditions: { mode, post_conditions } }),
      position: { index: body.tx_index, microblock_identifier: microblockOf(body) },
      ...(options.include_raw_transactions && { raw_tx: toHex(raw) }),
      result: options.decode_clarity_values ? clarityJson(result) : toHex(result),
      sender_address: body.sender_address,
      sponsor_address: body.sponsor_address ?? null,
      sponsored: body.sponsored,
      status: body.tx_status,
      vm_error: body.vm_error,
    },
  };
}

export const costOf = (body: HookTransaction['body']) => ({
  read_count: body.execution_cost_read_count,
  read_length: body.execution_cost_read_length,
  runtime: body.execution_cost_runtime,
  write_count: body.execution_cost_write_count,
  write_length: body.execution_cost_write_length,
});

export const microblockOf = ({ microblock_hash: hash, microblock_sequence: index }: HookTransaction['body']) =>
  hash === '0x' ? null : { hash, index };
