import { encodeAddress } from '@cairn-stacks/codec/address/c32';
import { type Principal, packPrincipal } from '@cairn-stacks/codec/address/principal';
import { encodeMicroblockHeader, type MicroblockHeader } from '@cairn-stacks/codec/block/microblock-header';
import { latin1Range } from '@cairn-stacks/codec/byte-text';
import { reprClarity } from '@cairn-stacks/codec/clarity/repr';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { type PostCondition, writePostConditions } from '@cairn-stacks/codec/transaction/post-condition';
import {
  isSingleSig,
  type SpendingCondition,
  signerPrincipal,
} from '@cairn-stacks/codec/transaction/spending-condition';
import { TENURE_CAUSES } from '@cairn-stacks/codec/transaction/tenure-change';
import { encodeTransaction, type Transaction, transactionId } from '@cairn-stacks/codec/transaction/transaction';
import { Writer } from '@cairn-stacks/codec/writer';

/** A decoded transaction in the words of the native codec, every field that it shows. */
export function nativeView(transaction: Transaction): unknown {
  const { auth, version } = transaction;
  const modes: Record<string, number> = { allow: 1, deny: 2, originator: 3 };
  const mode = modes[transaction.postConditionMode]!;
  const conditions = new Writer().u8(mode);
  writePostConditions(conditions, transaction.postConditions);
  return {
    tx_id: toHex(transactionId(encodeTransaction(transaction))),
    version,
    chain_id: transaction.chainId,
    auth: {
      type_id: auth.type === 'standard' ? 4 : 5,
      origin_condition: conditionView(version, auth.origin),
      ...(auth.type === 'sponsored' ? { sponsor_condition: conditionView(version, auth.sponsor) } : {}),
    },
    anchor_mode: ['on_chain_only', 'off_chain_only', 'any'].indexOf(transaction.anchorMode) + 1,
    post_condition_mode: mode,
    post_conditions: transaction.postConditions.map(postConditionView),
    post_conditions_buffer: toHex(conditions.finish()),
    payload: payloadView(transaction.payload),
  };
}

function addressView({ version, hash }: Principal) {
  return { address_version: version, address_hash_bytes: toHex(hash), address: encodeAddress(version, hash) };
}

function principalView(principal: Principal) {
  if (principal.name === undefined) return { type_id: 5, ...addressView(principal) };
  return { type_id: 6, contract_name: principal.name, ...addressView(principal) };
}

function conditionView(version: number, condition: SpendingCondition) {
  const common = {
    hash_mode: condition.hashMode,
    signer: addressView(signerPrincipal(version, condition)),
    nonce: condition.nonce.toString(),
    tx_fee: condition.fee.toString(),
  };
  if (isSingleSig(condition)) {
    const encoding = condition.keyEncoding === 'compressed' ? 0 : 1;
    return { ...common, key_encoding: encoding, signature: toHex(condition.signature) };
  }
  const fields = condition.fields.map(({ type, keyEncoding, bytes }) => {
    const encoding = keyEncoding === 'compressed' ? 0 : 1;
    return type === 'signature'
      ? { type_id: 2 + encoding, signature: toHex(bytes) }
      : { type_id: encoding, public_key: toHex(bytes) };
  });
  return { ...common, fields, signatures_required: condition.signaturesRequired };
}

const CODES: Record<string, number> = {
  sent_equal_to: 1,
  sent_greater_than: 2,
  sent_greater_than_or_equal_to: 3,
  sent_less_than: 4,
  sent_less_than_or_equal_to: 5,
  sent: 16,
  not_sent: 17,
};

function postConditionView(condition: PostCondition) {
  const { principal } = condition;
  const base = {
    asset_info_id: { stx: 0, fungible: 1, non_fungible: 2, staking: 3, pox: 4 }[condition.type],
    principal:
      principal.type === 'origin'
        ? { type_id: 1 }
        : principal.name === undefined
          ? { type_id: 2, ...addressView(principal) }
          : { type_id: 3, ...addressView(principal), contract_name: principal.name },
    condition_code: CODES[condition.condition],
    condition_name: condition.condition,
  };
  const asset = 'asset' in condition && {
    contract_address: encodeAddress(condition.asset.contract.version, condition.asset.contract.hash),
    contract_name: condition.asset.contract.name,
    asset_name: condition.asset.asset,
  };
  return {
    ...base,
    ...(asset ? { asset } : {}),
    ...('value' in condition ? { asset_value: valueView(condition.value) } : {}),
    ...('amount' in condition ? { amount: condition.amount.toString() } : {}),
  };
}

function valueView(bytes: Uint8Array) {
  return { repr: reprClarity(bytes), hex: toHex(bytes), type_id: bytes[0] };
}

function payloadView(payload: Payload): unknown {
  switch (payload.type) {
    case 'token_transfer':
      return {
        type_id: 0,
        recipient: principalView(payload.recipient),
        amount: payload.amount.toString(),
        memo_hex: toHex(payload.memo),
      };
    case 'smart_contract':
      return { type_id: 1, contract_name: payload.name, code_body: text(payload.source) };
    case 'contract_call': {
      const args = new Writer().u32(payload.args.length);
      for (const arg of payload.args) args.raw(arg);
      return {
        type_id: 2,
        ...addressView(payload.contract),
        contract_name: payload.contract.name,
        function_name: payload.functionName,
        function_args: payload.args.map(valueView),
        function_args_buffer: toHex(args.finish()),
      };
    }
    case 'poison_microblock':
      return {
        type_id: 3,
        microblock_header_1: microblockView(payload.header1),
        microblock_header_2: microblockView(payload.header2),
      };
    case 'coinbase':
      return { type_id: 4, payload_buffer: toHex(payload.data) };
    case 'coinbase_to_alt_recipient':
      return { type_id: 5, payload_buffer: toHex(payload.data), recipient: principalView(payload.recipient) };
    case 'versioned_smart_contract':
      return {
        type_id: 6,
        clarity_version: payload.clarityVersion,
        contract_name: payload.name,
        code_body: text(payload.source),
      };
    case 'tenure_change':
      return {
        type_id: 7,
        tenure_consensus_hash: toHex(payload.tenureConsensusHash),
        prev_tenure_consensus_hash: toHex(payload.previousTenureConsensusHash),
        burn_view_consensus_hash: toHex(payload.burnViewConsensusHash),
        previous_tenure_end: toHex(payload.previousTenureEnd),
        previous_tenure_blocks: payload.previousTenureBlocks,
        cause: (TENURE_CAUSES as readonly string[]).indexOf(payload.cause),
        pubkey_hash: toHex(payload.publicKeyHash),
      };
    case 'nakamoto_coinbase':
      return {
        type_id: 8,
        payload_buffer: toHex(payload.data),
        recipient: payload.recipient === undefined ? null : principalView(payload.recipient),
        vrf_proof: toHex(payload.vrfProof),
      };
  }
}

function microblockView(header: MicroblockHeader) {
  return {
    buffer: toHex(encodeMicroblockHeader(header)),
    version: header.version,
    sequence: header.sequence,
    prev_block: toHex(header.previousHash),
    tx_merkle_root: toHex(header.transactionMerkleRoot),
    signature: toHex(header.signature),
  };
}

function text(bytes: Uint8Array): string {
  return latin1Range(bytes, 0, bytes.length);
}

/** The compact form as hex: a key that two principals share only if they are the same. */
export function principalKey(principal: Principal): string {
  return toHex(packPrincipal(principal));
}
