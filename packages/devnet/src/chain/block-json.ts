import type { NakamotoHeader } from '@cairn-stacks/codec/block/nakamoto-block';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import type { Random } from '../random.ts';
import type { BuiltBlock, Tenure } from './built-block.ts';
import type { BurnBlock } from './burn-chain.ts';
import { type Executed, freeOfCost, sumCosts } from './executed.ts';
import { receiptsJson } from './receipt-json.ts';
import type { Release } from './release.ts';

export const zeroHash = `0x${'00'.repeat(32)}`;
const farAway = 4_294_967_295;

/** The header fields of a message. */
export type SealedHeader = {
  hash: string;
  indexHash: string;
  /** Only in Nakamoto. */
  nakamoto?: {
    time: number;
    minerSignature: Uint8Array;
    signerSignatures: Uint8Array[];
    bits: Uint8Array;
    header: NakamotoHeader;
  };
  /** Last microblock that the block confirms. */
  microblock?: { hash: string; sequence: number };
};

export type BlockFacts = {
  header: SealedHeader;
  height: number;
  parent: BuiltBlock | undefined;
  burn: BurnBlock;
  tenure: Tenure;
  transactions: Executed[];
  rewards: object[];
};

/** `/new_block` in the shape of a release. */
export function blockJson(facts: BlockFacts, release: Release, random: Random): object {
  const { header, height, parent, burn, tenure, transactions, rewards } = facts;
  const parentBurn = parent?.burn ?? burn;
  const streamed = transactions.filter(t => t.microblock);
  const json: Record<string, unknown> = {
    block_hash: header.hash,
    block_height: height,
    index_block_hash: header.indexHash,
    parent_block_hash: parent?.hash ?? `0x${'ff'.repeat(32)}`,
    parent_index_block_hash: parent?.indexHash ?? `0x${'ff'.repeat(32)}`,
    burn_block_hash: burn.hash,
    burn_block_height: burn.height,
    burn_block_time: burn.time,
    parent_burn_block_hash: parentBurn.hash,
    parent_burn_block_height: parentBurn.height,
    parent_burn_block_timestamp: parentBurn.time,
    miner_txid: tenure.minerTxId,
    parent_microblock: header.microblock?.hash ?? zeroHash,
    parent_microblock_sequence: header.microblock?.sequence ?? 0,
    matured_miner_rewards: rewards,
    anchored_cost: sumCosts(transactions.filter(t => !t.microblock)),
    confirmed_microblocks_cost: streamed.length > 0 ? sumCosts(streamed) : freeOfCost,
    ...receiptsJson(transactions, release, random),
  };
  for (let pox = 1; pox <= release.unlockHeights; pox++) json[`pox_v${pox}_unlock_height`] = farAway;
  if (release.nakamoto) Object.assign(json, nakamotoJson(header, tenure));
  return json;
}

function nakamotoJson({ hash, nakamoto }: SealedHeader, tenure: Tenure): object {
  const common = {
    block_time: nakamoto?.time ?? null,
    consensus_hash: toHex(tenure.consensusHash),
    tenure_height: tenure.number,
    signer_bitvec: nakamoto ? bareHex(nakamoto.bits) : null,
    reward_set: null,
    cycle_number: null,
  };
  if (!nakamoto) return common;
  return {
    ...common,
    signer_signature_hash: hash,
    miner_signature: toHex(nakamoto.minerSignature),
    signer_signature: nakamoto.signerSignatures.map(bareHex),
  };
}
