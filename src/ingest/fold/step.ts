import type { Block } from '../../chain/block.ts';
import type { Flush } from '../../db/flush.ts';
import type { BlockPlace, BurnBlock, MicroblockMessage } from '../../node/messages.ts';
import type { GenesisNames } from '../load/genesis-names.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import type { Arrival, Drop } from '../mempool/messages.ts';
import type { BurnNode, SourceTip } from '../tree/burn-view.ts';
import type { Attachments } from './attachments.ts';

/** A message of another chain: it is put aside, and the fold goes on. */
export class ForeignChainError extends Error {
  override name = 'ForeignChainError';
}

/** A branch has won and cannot be applied. */
export class BranchError extends Error {
  override name = 'BranchError';
  readonly eventIds: readonly bigint[];
  readonly rollback: number | undefined;
  /** Of the cause, where it has one. */
  readonly code: unknown;

  constructor(eventIds: readonly bigint[], rollback: number | undefined, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.eventIds = eventIds;
    this.rollback = rollback;
    this.code = (cause as { code?: unknown } | undefined)?.code;
  }
}

export type FoldLog = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

/** What one event adds to a transaction. */
export type Step =
  | { kind: 'block'; event: LoggedEvent; block: Block; place?: BlockPlace }
  | { kind: 'tree'; event: LoggedEvent; place: BlockPlace; parked: boolean; side: boolean; ruledOut: boolean }
  /** A burn block of the canonical Bitcoin branch; `known` when its branch has come back. */
  | { kind: 'burn'; event: LoggedEvent; burn: BurnBlock; node: BurnNode; known?: boolean }
  /** A burn block beside the canonical branch. */
  | { kind: 'side_burn'; event: LoggedEvent; node: BurnNode }
  | { kind: 'microblocks'; event: LoggedEvent; stream: MicroblockMessage; live: boolean }
  | { kind: 'arrivals'; event: LoggedEvent; arrivals: Arrival[] }
  | { kind: 'drop'; event: LoggedEvent; drop: Drop }
  | ({ kind: 'attachments'; event: LoggedEvent } & Attachments)
  | { kind: 'genesis_names'; event: LoggedEvent; part: GenesisNames }
  | { kind: 'quarantine'; event: LoggedEvent; reason: string }
  | { kind: 'nothing'; event: LoggedEvent };

/** One transaction of the fold. */
export type Unit = {
  steps: Step[];
  /** Height to go back to before the steps are applied. */
  rollback?: number;
  /** Further statements, before the rows. */
  before?: (flush: Flush) => void;
  /** Further statements, after all else. */
  after?: (flush: Flush) => void;
  rootMidChain?: boolean;
  /** Sources of burn blocks whose newest announcement has changed. */
  burnSources?: readonly SourceTip[];
};
