import { revision } from '../../cache/revision.ts';
import type { Sql } from '../../db/client.ts';
import type { ListedEvent } from '../events/events-queries.ts';
import {
  type EventPageRequest,
  type EventPositionRow,
  positionColumns,
  startOfEvents,
} from '../events/positions-queries.ts';
import { listEventStep } from './event-steps-queries.ts';
import type { EventHistoryFilter } from './history-filter.ts';
import type { HistoryStep } from './history-steps-queries.ts';

/** Transactions of an account, and prints of a contract, that a request for events looks at. */
export const MOST_SEARCHED = 150;

export type PrincipalEventRow = EventPositionRow & ListedEvent;

/** Events of an account that match a filter, the newest first. */
export const listFilteredEvents = (
  sql: Sql,
  principal: Uint8Array,
  { cursor, limit, filter }: EventPageRequest & { filter: EventHistoryFilter },
): Promise<HistoryStep<PrincipalEventRow>> =>
  listEventStep<PrincipalEventRow>(
    sql,
    {
      ...{ principal, filter, limit, direction: 'newest', most: MOST_SEARCHED },
      start: startOfEvents(sql, cursor),
    },
    {
      columns: sql`${revision(sql)} as version, ${positionColumns(sql, sql`e`)}`,
      joins: sql`
        join transactions t on t.height = e.height and t.place = e.place
        join blocks b on b.height = e.height
      `,
    },
  );
