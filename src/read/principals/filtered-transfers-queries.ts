import type { Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { sidedEvents } from '../events/events-queries.ts';
import {
  type EventPageRequest,
  type EventPositionRow,
  positionColumns,
  startOfEvents,
} from '../events/positions-queries.ts';
import type { EventHistoryFilter } from '../filters/filter.ts';
import { eventMatches, isInPlace } from '../filters/filter-queries.ts';
import {
  blockOf,
  endStep,
  type HistoryStep,
  isBeyondStart,
  isNear,
  principalSubject,
  stepOf,
  transactionOf,
} from '../filters/steps-queries.ts';
import type { TransferShape } from './transfers-queries.ts';

/** Transfers of an account that a request with a filter looks at. */
export const MOST_TRANSFERS = 150;

/** Transfers in one list of an account, by the key of the list, that match a filter; the newest first. */
export async function listFilteredTransfers<Row>(
  sql: Sql,
  principal: Uint8Array,
  { key, shape: { columns, joins, events } }: { key: Statement<unknown>; shape: TransferShape },
  { cursor, limit, filter }: EventPageRequest & { filter: EventHistoryFilter },
): Promise<HistoryStep<EventPositionRow & Row>> {
  type Found = EventPositionRow & Row;
  const step = stepOf(sql, {
    ...{ direction: 'newest', range: filter.range, most: MOST_TRANSFERS },
    subject: principalSubject(sql, principal),
    start: startOfEvents(sql, cursor),
    sources: [{ table: sql`transfers`, where: sql`r.principal = w.id and r.asset = ${key}` }],
  });
  const rows = await sql<({ edge: number | null } & (Found | { height: null }))[]>`
    with ${step},
    looked as materialized (
      select k.height, k.place, k.event_index
      from step x
      join transfers k on k.principal = x.id and k.asset = ${key} and k.height between x.low and x.high
      where ${isNear(sql, filter.range, sql`k.height`)}
        and ${isBeyondStart(sql, 'newest', sql`k.height, k.place::int, k.event_index`)}
    ), page as (
      select k.height, k.place, k.event_index
      from step x
      cross join looked k
      ${filter.functionName === undefined ? sql`` : transactionOf(sql, sql`k`)}
      ${blockOf(sql, filter.range, sql`k`)}
      cross join lateral ${sidedEvents(sql, sql`k.height`, sql`k.place`, sql`x.id`)} e
      where e.event_index = k.event_index and ${isInPlace(sql, filter, sql`k.height`)} and ${eventMatches(sql, filter)}
      order by k.height desc, k.place desc, k.event_index desc
      limit ${limit + 1}
    ), shown as (
      select p.height, p.place, p.event_index, ${positionColumns(sql, sql`p`)}, ${columns}
      from page p
      join transactions t on t.height = p.height and t.place = p.place
      join blocks b on b.height = p.height
      ${events}
      ${joins}
    )
    select x.edge, s.*
    from step x
    left join shown s on true
    order by s.height desc, s.place desc, s.event_index desc
  `;
  return endStep<Found>(rows, limit, 'newest');
}
