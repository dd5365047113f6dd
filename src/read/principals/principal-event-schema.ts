import { Type } from 'typebox';
import { BlockPosition, renderBlockPosition } from '../events/event-position-schema.ts';
import { TransactionEvent } from '../events/event-schema.ts';
import { FilteredCursorList } from '../pages/cursor-list-schema.ts';
import type { PrincipalEventRow } from './filtered-events-queries.ts';

const PrincipalEvent = Type.Object({ event: TransactionEvent, block: BlockPosition }, { title: 'PrincipalEvent' });
export const PrincipalEventList = FilteredCursorList(PrincipalEvent, 'PrincipalEventList');

/** An event of an account with the block that has it. */
export const renderPrincipalEvent = (row: PrincipalEventRow, event: TransactionEvent) => ({
  event,
  block: renderBlockPosition(row),
});
