import type { UnknownItem } from '../../node/unknown-items.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import type { TreeBlock } from '../tree/block-tree.ts';
import type { BurnFacts, BurnLookUp, BurnNode, SourceTip } from '../tree/burn-branch.ts';
import type { FetchedFacts } from '../tree/refolded-blocks.ts';
import type { ConnectedBlock } from '../tree/ruled-out-blocks.ts';
import type { Plan, Step } from './plan.ts';
import type { StateChange } from './state.ts';

/** An event with its parsed body; a `MessageError` where that cannot be parsed. */
export type IncomingEvent = { event: LoggedEvent; message: unknown };

/** What an event means for the tables. */
export type Decision =
  /** The step joins others in one transaction. */
  | ({ kind: 'queue'; step: Step; burnSources?: readonly SourceTip[] } & Effects)
  /** The plans are written one after the other, after the queued steps; then the follow-ups are decided. */
  | ({ kind: 'write'; plans: readonly Plan[]; next?: readonly FollowUp[] } & Effects)
  /** The event is valid and this program does not support it: the fold stops until the operator skips it. */
  | { kind: 'halt'; reason: string }
  /** The decision needs facts from the tables: it is made again with them, after the queued steps are written. */
  | { kind: 'look_up'; lookUp: LookUp };

/** What comes with a decision. */
export type Effects = {
  change?: StateChange;
  /** Items that this program does not know, by event. */
  unknown?: readonly { eventId: bigint; items: readonly UnknownItem[] }[];
  notices?: readonly Notice[];
};

/** What is decided next, from the tables as the plans have left them. */
export type FollowUp =
  /** Move the tables to the best branch. */
  | 'move_to_best'
  /** Apply the chain again if a full block 0 arrived late. */
  | 'include_genesis'
  /** Look for unconfirmed microblocks on the tip. */
  | 'find_microblocks';

/** A line for the log. */
export type Notice = { level: 'info' | 'warn'; details: object; message: string };

/** Facts that a decision needs beyond the state. */
export type LookUp =
  /** Parked blocks that wait, directly or through others, for a block. */
  | { kind: 'waiting'; indexHash: Buffer; height: number }
  /** The chain above fetched blocks whose events have arrived. */
  | { kind: 'above_fetched'; hashes: readonly Buffer[] }
  /** Connected blocks of the tree from the first one on that names one of these burn blocks. */
  | { kind: 'blocks_from_burn'; burns: readonly BurnNode[] }
  | { kind: 'events'; ids: readonly bigint[] }
  | BurnLookUp;

/** What was looked up for the event at hand. */
export type Facts = BurnFacts & {
  waiting?: readonly TreeBlock[];
  aboveFetched?: FetchedFacts;
  blocksFromBurn?: readonly ConnectedBlock[];
  /** Logged events by id; those that the log has lost are missing. */
  events?: ReadonlyMap<bigint, LoggedEvent>;
};
