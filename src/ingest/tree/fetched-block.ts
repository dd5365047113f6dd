import { type UnknownField, unknownFields } from '../../chain/unknown-field.ts';
import type { BlockReference } from '../../node/messages.ts';
import type { LoggedEvent } from '../log/event-reader.ts';

/** Who sent an event that nobody sent: a block that was asked of a node. */
export const fetchedSource = 'fetched';

/** The event of a block, and where the block stands. */
export type BlockEvent = { event: LoggedEvent; reference: BlockReference };

/** Whether a message was made from the RPC of a node; an exported one has lost its source, but not its mark. */
export const isFetched = ({ event, reference }: BlockEvent): boolean =>
  event.source === fetchedSource || reference.unknown !== undefined;

/** What the event of a block leaves unknown; events fetched by releases that did not say so may lack everything. */
export const unknownOf = ({ event, reference }: BlockEvent): readonly UnknownField[] =>
  reference.unknown ?? (event.source === fetchedSource ? unknownFields : []);
