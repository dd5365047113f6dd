import type { Cost, Receipt } from './transaction.ts';

/** A credit to a miner that matured in this block. */
export type MinerReward = {
  recipient: string;
  miner: string;
  coinbase: bigint;
  feesAnchored: bigint;
  feesStreamedConfirmed: bigint;
  feesStreamedProduced: bigint;
  fromIndexHash: Uint8Array;
  fromBlockHash: Uint8Array;
};

export type RewardSet = {
  cycle: number;
  signers: { key: Uint8Array; stacked: bigint; weight: number }[];
  threshold?: bigint;
  /** The node's JSON, as text: Bitcoin addresses by slot, and the effect of missed slots. */
  rewardedAddresses?: string;
  startCycleState?: string;
};

/** A processed block as one node reported it: header facts, receipts, rewards. */
export type Block = {
  height: number;
  hash: Uint8Array;
  indexHash: Uint8Array;
  parentHash: Uint8Array;
  parentIndexHash: Uint8Array;
  /** Header time in seconds; 0 where the block has none (2.x). */
  time: number;
  burn: { hash: Uint8Array; height: number; time: number };
  parentBurn: { hash: Uint8Array; height: number; time: number };
  minerTxId: Uint8Array;
  /** Last microblock this block confirms; absent when none. */
  parentMicroblock?: { hash: Uint8Array; sequence: number };
  tenureHeight?: number;
  consensusHash?: Uint8Array;
  signerBitvec?: Uint8Array;
  signerSignatures: Uint8Array[];
  minerSignature?: Uint8Array;
  /** The hash that the signers signed. */
  signerSignatureHash?: Uint8Array;
  /** Burn heights at which locks of pox-1, 2, 3, 4 are force-unlocked, if the node reported them. */
  unlockHeights: [number?, number?, number?, number?];
  rewardSet?: RewardSet;
  rewards: MinerReward[];
  /** Cost of the block's own transactions. */
  cost: Cost;
  receipts: Receipt[];
};

/** The consensus hash that the tenure change of a block names as its burn view; empty without a tenure change. */
export function findBurnView({ receipts }: Pick<Block, 'receipts'>): Buffer {
  const payload = receipts.findLast(({ transaction }) => transaction?.payload.type === 'tenure_change')?.transaction
    ?.payload;
  return Buffer.from(payload?.type === 'tenure_change' ? payload.burnViewConsensusHash : []);
}
