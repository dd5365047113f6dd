import { revision } from '../../cache/revision.ts';
import { eventCodes } from '../../chain/event.ts';
import { statusCodes } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { sidedEvents } from '../events/events-queries.ts';
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
  transactionSource,
} from '../filters/steps-queries.ts';
import { brings, isTransfer, type ListedInbound, memoAfter, WHOLE_TRANSFER } from './inbound-transfers-queries.ts';

/** Transactions of an account that a request for what came in looks at. */
export const MOST_INBOUND = 300;

/** STX that came in with a memo and match a filter, the newest first. */
export async function listFilteredInbound(
  sql: Sql,
  principal: Uint8Array,
  { filter, start, limit }: { filter: EventHistoryFilter; start: Statement<unknown>; limit: number },
): Promise<HistoryStep<ListedInbound>> {
  const step = stepOf(sql, {
    ...{
      subject: principalSubject(sql, principal),
      start,
      range: filter.range,
      direction: 'newest',
      most: MOST_INBOUND,
    },
    sources: [transactionSource(sql)],
  });
  const rows = await sql<({ edge: number | null } & (ListedInbound | { height: null }))[]>`
    with ${step},
    looked as materialized (
      select h.height, h.place
      from step x
      join principal_transactions h on h.principal = x.id and h.height between x.low and x.high
      where ${isNear(sql, filter.range, sql`h.height`)} and ${brings(sql)}
    ), entries as (
      select e.height, e.place, case when ${isTransfer(sql)} then ${constant(sql, WHOLE_TRANSFER)} else e.event_index end as event_index
      from step x
      cross join looked h
      cross join lateral (
        select t.type, t.target, t.status, t.function
        from transactions t
        where t.height = h.height and t.place = h.place
        offset 0 -- one by one: the planner would rather begin with what matches in the whole chain
      ) t
      ${blockOf(sql, filter.range, sql`h`)}
      cross join lateral ${sidedEvents(sql, sql`h.height`, sql`h.place`, sql`x.id`)} e
      where e.kind = ${constant(sql, eventCodes.stx_transfer)} and e.recipient = x.id
        and case when ${isTransfer(sql)} then t.target = x.id and t.status = ${constant(sql, statusCodes.success)}
          else length(e.value) > 0 or exists ${memoAfter(sql)} end
        and ${isInPlace(sql, filter, sql`h.height`)} and ${eventMatches(sql, filter)}
    ), page as (
      select e.height, e.place, e.event_index, ${revision(sql)} as version
      from step x
      cross join entries e
      where ${isBeyondStart(sql, 'newest', sql`e.height, e.place::int, e.event_index`)}
      order by e.height desc, e.place desc, e.event_index desc
      limit ${limit + 1}
    )
    select x.edge, p.*
    from step x
    left join page p on true
    order by p.height desc, p.place desc, p.event_index desc
  `;
  return endStep<ListedInbound>(rows, limit, 'newest');
}
