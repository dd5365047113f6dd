import type { Sql } from '../db/client.ts';
import { type ListedEvent, listEventsAt } from '../queries/events.ts';
import { renderEvent, type TransactionEvent } from '../schemas/event.ts';
import type { Pieces } from './pieces.ts';

/** The events of a list; those that were not shown of late are read by one question. */
export const gatherEvents = (pieces: Pieces, sql: Sql, listed: readonly ListedEvent[]): Promise<TransactionEvent[]> =>
  pieces.gather(listed, {
    nameOf: ({ height, place, event_index }) => `event ${height} ${place} ${event_index}`,
    read: missing => listEventsAt(sql, missing),
    render: row => renderEvent(row),
  });
