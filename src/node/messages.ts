import { blockId } from '@cairn-stacks/codec/block/block-header';
import type { Block, MinerReward, RewardSet } from '../chain/block.ts';
import type { Receipt } from '../chain/transaction.ts';
import { type UnknownField, unknownFieldsOf } from '../chain/unknown-field.ts';
import {
  amount,
  array,
  bytes,
  integer,
  items,
  type Json,
  MessageError,
  object,
  optionalInteger,
  optionalText,
  text,
} from './json.ts';
import { readCost, readReceipts } from './receipts.ts';

const zeroHash = '0x0000000000000000000000000000000000000000000000000000000000000000';

/** The position of a block in the tree, read without decoding its transactions. */
export type BlockReference = {
  height: number;
  hash: Buffer;
  indexHash: Buffer;
  parentIndexHash: Buffer;
  burnHeight: number;
  burnHash: Buffer;
  /** True if the index hash is the hash of block hash and consensus hash, or if the message has no consensus hash. */
  indexHashFollows: boolean;
  /** True without transactions and events: a node repeats block 0 in this form at every start. */
  empty: boolean;
  /** Data that the message lacks; present only in a message made from the RPC of a node, where it may be empty. */
  unknown?: UnknownField[];
};

/**
 * The key that marks a message made from the RPC of a node. It is part of the body, so that an export of the log contains it.
 */
export const healedKey = 'cairn_healed';
/** Names the node that announced a burn block, in an export of a log that several nodes have filled. */
export const sourceKey = 'cairn_source';

export function readBlockReference(value: unknown): BlockReference {
  const json = object(value, 'block');
  const hash = bytes(json.block_hash, 'block_hash', 32);
  const indexHash = bytes(json.index_block_hash, 'index_block_hash', 32);
  const consensusHash = optionalText(json, 'consensus_hash');
  return {
    height: integer(json, 'block_height'),
    hash,
    indexHash,
    indexHashFollows:
      consensusHash === undefined || indexHash.equals(blockId(hash, bytes(consensusHash, 'consensus_hash', 20))),
    parentIndexHash: bytes(json.parent_index_block_hash, 'parent_index_block_hash', 32),
    burnHeight: integer(json, 'burn_block_height'),
    burnHash: bytes(json.burn_block_hash, 'burn_block_hash', 32),
    empty: array(json.transactions, 'transactions').length === 0 && isEmpty(items(json.events, 'events')),
    ...(json[healedKey] !== undefined && { unknown: readUnknown(json[healedKey]) }),
  };
}

const isEmpty = (list: Iterable<unknown>) => list[Symbol.iterator]().next().done === true;

function readUnknown(value: unknown): UnknownField[] {
  const { unknown } = object(value, healedKey);
  return unknownFieldsOf(array(unknown, `${healedKey}.unknown`).join(','));
}

/** `/new_block`: only the ids of its transactions. */
export const readTransactionIds = (value: unknown): Buffer[] =>
  array(object(value, 'block').transactions, 'transactions').map((transaction, index) =>
    bytes(object(transaction, `transaction ${index}`).txid, 'txid', 32),
  );

/** `/new_block`: every fact of a block, with its transactions decoded. */
export function readBlock(value: unknown): Block {
  const json = object(value, 'block');
  const receipts = readReceipts(json);
  const block: Block = {
    height: integer(json, 'block_height'),
    hash: bytes(json.block_hash, 'block_hash', 32),
    indexHash: bytes(json.index_block_hash, 'index_block_hash', 32),
    parentHash: bytes(json.parent_block_hash, 'parent_block_hash', 32),
    parentIndexHash: bytes(json.parent_index_block_hash, 'parent_index_block_hash', 32),
    time: optionalInteger(json, 'block_time') ?? 0,
    burn: {
      hash: bytes(json.burn_block_hash, 'burn_block_hash', 32),
      height: integer(json, 'burn_block_height'),
      time: integer(json, 'burn_block_time'),
    },
    parentBurn: {
      hash: bytes(optionalText(json, 'parent_burn_block_hash') ?? '', 'parent_burn_block_hash'),
      height: optionalInteger(json, 'parent_burn_block_height') ?? 0,
      time: optionalInteger(json, 'parent_burn_block_timestamp') ?? 0,
    },
    minerTxId: bytes(json.miner_txid, 'miner_txid', 32),
    signerSignatures: json.signer_signature
      ? array(json.signer_signature, 'signer_signature').map(s => bytes(s, 'signer_signature', 65))
      : [],
    unlockHeights: [
      optionalInteger(json, 'pox_v1_unlock_height'),
      optionalInteger(json, 'pox_v2_unlock_height'),
      optionalInteger(json, 'pox_v3_unlock_height'),
      optionalInteger(json, 'pox_v4_unlock_height'),
    ] as Block['unlockHeights'],
    rewards: array(json.matured_miner_rewards ?? [], 'matured_miner_rewards').map(readReward),
    cost: json.anchored_cost ? readCost(json.anchored_cost) : sumCosts(receipts),
    receipts,
  };
  const tenureHeight = optionalInteger(json, 'tenure_height');
  if (tenureHeight !== undefined) block.tenureHeight = tenureHeight;
  const consensusHash = optionalText(json, 'consensus_hash');
  if (consensusHash !== undefined) block.consensusHash = bytes(consensusHash, 'consensus_hash', 20);
  const bitvec = optionalText(json, 'signer_bitvec');
  if (bitvec !== undefined) block.signerBitvec = bytes(bitvec, 'signer_bitvec');
  const minerSignature = optionalText(json, 'miner_signature');
  if (minerSignature !== undefined) block.minerSignature = bytes(minerSignature, 'miner_signature', 65);
  const signedHash = optionalText(json, 'signer_signature_hash');
  if (signedHash !== undefined) block.signerSignatureHash = bytes(signedHash, 'signer_signature_hash');
  const microblock = optionalText(json, 'parent_microblock');
  if (microblock !== undefined && microblock !== zeroHash) {
    block.parentMicroblock = {
      hash: bytes(microblock, 'parent_microblock', 32),
      sequence: optionalInteger(json, 'parent_microblock_sequence') ?? 0,
    };
  }
  const rewardSet = readRewardSet(json);
  if (rewardSet) block.rewardSet = rewardSet;
  return block;
}

function readReward(value: unknown): MinerReward {
  const json = object(value, 'matured_miner_rewards');
  const recipient = text(json, 'recipient');
  return {
    recipient,
    miner: optionalText(json, 'miner_address') ?? recipient,
    coinbase: amount(json, 'coinbase_amount'),
    feesAnchored: amount(json, 'tx_fees_anchored'),
    feesStreamedConfirmed: amount(json, 'tx_fees_streamed_confirmed'),
    feesStreamedProduced: amount(json, 'tx_fees_streamed_produced'),
    fromIndexHash: bytes(json.from_index_consensus_hash, 'from_index_consensus_hash'),
    fromBlockHash: bytes(json.from_stacks_block_hash, 'from_stacks_block_hash'),
  };
}

function readRewardSet(json: Json): RewardSet | undefined {
  const cycle = optionalInteger(json, 'cycle_number');
  if (cycle === undefined || json.reward_set === null || json.reward_set === undefined) return undefined;
  const set = object(json.reward_set, 'reward_set');
  const threshold = optionalText(set, 'pox_ustx_threshold');
  return {
    cycle,
    signers: array(set.signers ?? [], 'signers').map(item => {
      const signer = object(item, 'signer');
      return {
        key: bytes(signer.signing_key, 'signing_key', 33),
        stacked: amount(signer, 'stacked_amt'),
        weight: integer(signer, 'weight'),
      };
    }),
    ...(threshold === undefined ? {} : { threshold: amount(set, 'pox_ustx_threshold') }),
    ...(set.rewarded_addresses !== undefined && { rewardedAddresses: JSON.stringify(set.rewarded_addresses) }),
    ...(set.start_cycle_state !== undefined && { startCycleState: JSON.stringify(set.start_cycle_state) }),
  };
}

function sumCosts(receipts: Receipt[]): Block['cost'] {
  const sum = { runtime: 0n, readCount: 0, readLength: 0, writeCount: 0, writeLength: 0 };
  for (const { cost } of receipts) {
    sum.runtime += cost.runtime;
    sum.readCount += cost.readCount;
    sum.readLength += cost.readLength;
    sum.writeCount += cost.writeCount;
    sum.writeLength += cost.writeLength;
  }
  return sum;
}

/** A block commit that paid reward addresses. */
export type PoxTransaction = {
  txId: Buffer;
  /** The Bitcoin address of the change, which nobody proves; only nodes after 4.0.2 tell it. */
  payer: string | undefined;
  outputs: { recipient: string; amount: bigint; index: number }[];
};

export type BurnBlock = {
  /** The node that announced it, where an export says so. */
  source?: string;
  height: number;
  hash: Buffer;
  burnAmount: bigint;
  consensusHash: Buffer;
  parentHash: Buffer;
  rewards: { recipient: string; amount: bigint }[];
  slotHolders: string[];
  poxTransactions: PoxTransaction[];
};

/** `/new_burn_block`: the result of one sortition. */
export function readBurnBlock(value: unknown): BurnBlock {
  const json = object(value, 'burn block');
  const source = optionalText(json, sourceKey);
  return {
    ...(source !== undefined && { source }),
    height: integer(json, 'burn_block_height'),
    hash: bytes(json.burn_block_hash, 'burn_block_hash', 32),
    burnAmount: amount(json, 'burn_amount'),
    consensusHash: bytes(optionalText(json, 'consensus_hash') ?? '', 'consensus_hash'),
    parentHash: bytes(optionalText(json, 'parent_burn_block_hash') ?? '', 'parent_burn_block_hash'),
    rewards: array(json.reward_recipients, 'reward_recipients').map(item => {
      const reward = object(item, 'reward_recipients');
      return { recipient: text(reward, 'recipient'), amount: amount(reward, 'amt') };
    }),
    slotHolders: array(json.reward_slot_holders ?? [], 'reward_slot_holders').map(item => {
      if (typeof item !== 'string') throw new MessageError('reward_slot_holders has an entry that is not a text');
      return item;
    }),
    poxTransactions: array(json.pox_transactions ?? [], 'pox_transactions').map(item => {
      const tx = object(item, 'pox_transactions');
      return {
        txId: bytes(tx.txid, 'txid', 32),
        // Its name changed before a release had it.
        payer: optionalText(tx, 'apparent_sender') ?? optionalText(tx, 'miner_address'),
        outputs: array(tx.reward_recipients, 'reward_recipients').map(entry => {
          const output = object(entry, 'reward_recipients');
          return {
            recipient: text(output, 'recipient'),
            amount: amount(output, 'amt'),
            index: integer(output, 'utxo_idx'),
          };
        }),
      };
    }),
  };
}

export type MicroblockMessage = {
  parentIndexHash: Buffer;
  burn: { hash: Buffer; height: number; time: number };
  receipts: Receipt[];
};

/** `/new_microblocks`: transactions of one or more microblocks that no block has confirmed yet. */
export function readMicroblocks(value: unknown): MicroblockMessage {
  const json = object(value, 'microblocks');
  return {
    parentIndexHash: bytes(json.parent_index_block_hash, 'parent_index_block_hash', 32),
    burn: {
      hash: bytes(json.burn_block_hash, 'burn_block_hash', 32),
      height: integer(json, 'burn_block_height'),
      time: optionalInteger(json, 'burn_block_timestamp') ?? 0,
    },
    receipts: readReceipts(json),
  };
}
