import { badRequest } from '../../errors.ts';
import type { EventCursor } from '../../queries/events/positions.ts';
import { readEventPosition } from '../../schemas/events/event-position.ts';

/** The position that a cursor of a request names; a 400 where no event can stand there. */
export function eventCursorOf(text: string | undefined): EventCursor | undefined {
  const cursor = readEventPosition(text);
  if (cursor === 'out of range') throw badRequest('querystring/cursor: Cursor value out of range');
  return cursor;
}
