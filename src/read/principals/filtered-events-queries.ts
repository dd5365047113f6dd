import { revision } from '../../cache/revision.ts';
import type { Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import type { ListedEvent } from '../events/events-queries.ts';
import { type EventPositionRow, positionColumns } from '../events/positions-queries.ts';
import type { EventHistoryFilter } from '../filters/filter.ts';
import { eventMatches, isInPlace } from '../filters/filter-queries.ts';
import type { HistoryStep } from '../filters/steps-queries.ts';
import { listEventStep } from './event-steps-queries.ts';

/** Transactions of an account, and prints of a contract, that a request for events looks at. */
export const MOST_SEARCHED = 150;

export type PrincipalEventRow = EventPositionRow & ListedEvent;

/** Events of an account that match a filter, the newest first. */
export const listFilteredEvents = (
  sql: Sql,
  principal: Uint8Array,
  { start, limit, filter }: { start: Statement<unknown>; limit: number; filter: EventHistoryFilter },
): Promise<HistoryStep<PrincipalEventRow>> =>
  listEventStep<PrincipalEventRow>(
    sql,
    { principal, filter, limit, start, direction: 'newest', most: MOST_SEARCHED },
    {
      columns: sql`${revision(sql)} as version, ${positionColumns(sql, sql`e`)}`,
      joins: sql`
        join transactions t on t.height = e.height and t.place = e.place
        join blocks b on b.height = e.height
      `,
    },
  );

/** Events of one confirmed transaction that match a filter, the last first. */
export async function listFilteredEventsOfTransaction(
  sql: Sql,
  txId: Uint8Array,
  { start, limit, filter }: { start: Statement<unknown>; limit: number; filter: EventHistoryFilter },
): Promise<HistoryStep<ListedEvent>> {
  const rows = await sql<ListedEvent[]>`
    with start as materialized (
      ${start}
    )
    select e.height, e.place, e.event_index, ${revision(sql)} as version
    from start s
    cross join transactions t
    join blocks b on b.height = t.height
    join events e on e.height = t.height and e.place = t.place
    where substring(t.tx_id from 1 for 7) = ${txId.subarray(0, 7)} and t.tx_id = ${txId}
      and (e.height, e.place::int, e.event_index) <= (s.height, s.place, s.event_index)
      and ${isInPlace(sql, filter, sql`e.height`)} and ${eventMatches(sql, filter)}
    order by e.event_index desc
    limit ${limit + 1}
  `;
  const next = rows[limit];
  const { height = 0, place = 0, event_index: eventIndex = 0 } = next ?? {};
  return { rows: rows.slice(0, limit), next: next && { height, place, eventIndex }, following: next };
}
