import type { NakamotoHeader } from '@cairn-stacks/codec/block/nakamoto-block';
import type { BranchState } from './branch-state.ts';
import type { BurnBlock } from './burn-chain.ts';
import type { Executed } from './executed.ts';
import type { Message } from './message-text.ts';

/** The tenure a block belongs to. */
export type Tenure = {
  miner: number;
  consensusHash: Uint8Array;
  minerTxId: string;
  /** Number of this tenure in its branch. */
  number: number;
  /** Number of this block in its tenure. */
  blocks: number;
  /** The consensus hash and the last block of the tenure before; undefined in the first tenure. */
  previous?: { consensusHash: string; blockId: string };
};

/** A block of the tree with its message and state. */
export type BuiltBlock = Message & {
  height: number;
  hash: string;
  indexHash: string;
  parent: BuiltBlock | undefined;
  /** The burn block that elected the miner of its tenure. */
  burn: BurnBlock;
  /** The last burn block that its tenure has seen: `burn`, or a later one to which the tenure was extended. */
  view: BurnBlock;
  /** True if the block has a tenure change, which names the view. */
  changesTenure: boolean;
  /** Burn blocks that were mined for it; a node announces them first. */
  burnBlocks: BurnBlock[];
  tenure: Tenure;
  /** Only in Nakamoto. */
  header?: NakamotoHeader | undefined;
  transactions: Executed[];
  state: BranchState;
  /** The microblocks on top of it (2.x). */
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
