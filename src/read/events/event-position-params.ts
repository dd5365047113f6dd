import { badRequest } from '../../errors.ts';
import { readEventPosition } from './event-position-schema.ts';
import type { EventCursor } from './positions-queries.ts';

/** The position that the cursor of a request names; a 400 if no event can have that position. */
export function eventCursorOf(text: string | undefined): EventCursor | undefined {
  const cursor = readEventPosition(text);
  if (cursor === 'out of range') throw badRequest('querystring/cursor: Cursor value out of range');
  return cursor;
}
