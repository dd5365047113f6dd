import type { Block } from '../../chain/block.ts';
import type { SignerRecords } from '../../chain/signer-record.ts';
import type { BlockReference, BurnBlock, MicroblockMessage } from '../../node/messages.ts';
import type { GenesisNames } from '../load/genesis-names.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import type { Arrival, Drop } from '../mempool/messages.ts';
import type { Attachments } from '../rows/attachments.ts';
import type { BurnNode, BurnSwitch, SourceTip } from '../tree/burn-branch.ts';
import type { TreeChange } from '../tree/tree-change.ts';

/** What one event adds to a transaction. */
export type Step =
  /** The next block of the canonical chain; with its `reference` when it is new in the tree. */
  | { kind: 'block'; event: LoggedEvent; block: Block; reference?: BlockReference }
  /** A block that enters the tree without being applied. */
  | TreeStep
  /** A burn block of the canonical Bitcoin branch; `known` when its branch has come back. */
  | { kind: 'burn'; event: LoggedEvent; burn: BurnBlock; node: BurnNode; known?: boolean }
  | { kind: 'non_canonical_burn'; event: LoggedEvent; node: BurnNode }
  /** `live` when the stream follows the tip. */
  | { kind: 'microblocks'; event: LoggedEvent; stream: MicroblockMessage; live: boolean }
  | { kind: 'arrivals'; event: LoggedEvent; arrivals: Arrival[] }
  | { kind: 'drop'; event: LoggedEvent; drop: Drop }
  | ({ kind: 'attachments'; event: LoggedEvent } & Attachments)
  | { kind: 'genesis_names'; event: LoggedEvent; part: GenesisNames }
  | { kind: 'signer_messages'; event: LoggedEvent; records: SignerRecords }
  | { kind: 'quarantine'; event: LoggedEvent; reason: string }
  | { kind: 'nothing'; event: LoggedEvent };

type TreeStep = {
  kind: 'tree';
  event: LoggedEvent;
  reference: BlockReference;
  /** It waits for its parent. */
  parked: boolean;
  /** It is connected and will not be applied next: the journal announces a non-canonical block. */
  nonCanonical: boolean;
  /** A replaced burn block excludes it from the canonical chain. */
  ruledOut: boolean;
  /** The consensus hash that its tenure change names as the burn view; empty without a tenure change. */
  burnView: Buffer;
};

export type BlockStep = Extract<Step, { kind: 'block' }>;

/** What one transaction of the fold does, in this order: a value that the writer carries out. */
export type Plan = {
  /** Another Bitcoin branch has become canonical. */
  burnSwitch?: BurnSwitch;
  /** Changes to blocks that the tree has already. */
  treeChanges?: readonly TreeChange[];
  /** Height to go back to before blocks are applied. */
  rollback?: number;
  /** Events of blocks that the log has; they are applied before the steps. */
  branch?: readonly bigint[];
  steps: readonly Step[];
  /** Sources of burn blocks whose newest announcement has changed. */
  burnSources?: readonly SourceTip[];
  /** The chain of this database begins above block 1. */
  rootMidChain?: boolean;
};
