import { type UnknownField, unknownFields } from '../../chain/unknown-field.ts';
import type { BlockReference } from '../../node/messages.ts';
import type { LoggedEvent } from '../log/event-reader.ts';

/** The source of an event that no node posted: its block was fetched from the RPC of a node. */
export const fetchedSource = 'fetched';

/** The event of a block, and the position of the block. */
export type BlockEvent = { event: LoggedEvent; reference: BlockReference };

/** Whether a message was made from the RPC of a node; an exported one has lost its source, but not its mark. */
export const isFetched = ({ event, reference }: BlockEvent): boolean =>
  event.source === fetchedSource || reference.unknown !== undefined;

/** Fields that the event of a block leaves unknown; events fetched by older releases, without this list, may lack all. */
export const unknownOf = ({ event, reference }: BlockEvent): readonly UnknownField[] =>
  reference.unknown ?? (event.source === fetchedSource ? unknownFields : []);
