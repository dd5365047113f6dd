import type { NakamotoHeader } from '../../codec/block/nakamoto-block.ts';
import type { BranchState } from './branch-state.ts';
import type { BurnBlock } from './burn-chain.ts';
import type { Executed } from './executed.ts';
import type { Message } from './message-text.ts';

/** The tenure a block belongs to. */
export type Tenure = {
  miner: number;
  consensusHash: Uint8Array;
  minerTxId: string;
  /** Tenures of the branch up to and with this one. */
  number: number;
  /** Blocks of it up to and with this one. */
  blocks: number;
};

/** A block of the tree with everything that is known of it. */
export type BuiltBlock = Message & {
  height: number;
  hash: string;
  indexHash: string;
  parent: BuiltBlock | undefined;
  burn: BurnBlock;
  /** Burn blocks that were mined for it: a node announces them first. */
  burnBlocks: BurnBlock[];
  tenure: Tenure;
  /** Nakamoto only. */
  header?: NakamotoHeader | undefined;
  transactions: Executed[];
  state: BranchState;
  /** The stream of microblocks on top of it (2.x). */
  stream: BuiltMicroblock[];
};

/** A microblock with its `/new_microblocks` message. */
export type BuiltMicroblock = Message & {
  hash: string;
  sequence: number;
  parentHash: string;
  transactions: Executed[];
  state: BranchState;
};
