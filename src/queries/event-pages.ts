import { eventCodes } from '../chain/event.ts';
import { role } from '../chain/role.ts';
import type { Sql } from '../db/client.ts';
import { type EventRow, eventColumns, eventJoins, publicEvents, sidedEvents } from './events.ts';

export type EventPage = {
  /** Event codes to show. */
  kinds: number[];
  limit: number;
  offset: number;
};

/** Events of one transaction, last one first. */
export async function listEventsOfTransaction(sql: Sql, txId: Uint8Array, page: EventPage): Promise<EventRow[]> {
  return await sql<EventRow[]>`
    select ${eventColumns(sql)}
    from transactions x
    join events e on e.height = x.height and e.place = x.place
    ${eventJoins(sql)}
    where substring(x.tx_id from 1 for 7) = ${txId.subarray(0, 7)} and x.tx_id = ${txId}
      and ${publicEvents(sql)} and e.kind = any (${page.kinds}::int[])
    order by e.event_index desc
    limit ${page.limit}
    offset ${page.offset}
  `;
}

const movedAssets = role.stx | role.ft | role.nft | role.lock;

/** Events that moved assets of a principal, locked its STX or, for a contract, were printed by it; newest first. */
export async function listEventsOfPrincipal(sql: Sql, principal: Uint8Array, page: EventPage): Promise<EventRow[]> {
  const { kinds, limit, offset } = page;
  const needed = limit + offset;
  return await sql<EventRow[]>`
    with who as (select p.id from principals p where p.name = ${principal}),
    moved as (
      select m.height, m.place, m.event_index
      from who w
      cross join lateral (
        select e.height, e.place, e.event_index
        from principal_transactions h
        cross join lateral ${sidedEvents(sql, sql`h.height`, sql`h.place`, sql`w.id`)} e
        where h.principal = w.id and h.role & ${movedAssets} <> 0
          and e.kind <> ${eventCodes.print} and e.kind = any (${kinds}::int[])
        order by h.height desc, h.place desc, e.event_index desc
        limit ${needed}
      ) m
    ),
    printed as (
      select m.height, m.place, m.event_index
      from who w
      cross join lateral (
        select e.height, e.place, e.event_index
        from events e
        where e.asset = w.id and e.kind = ${eventCodes.print} and e.kind = any (${kinds}::int[])
        order by e.height desc, e.place desc, e.event_index desc
        limit ${needed}
      ) m
    ),
    page as (
      select a.height, a.place, a.event_index
      from (select * from moved union all select * from printed) a
      order by a.height desc, a.place desc, a.event_index desc
      limit ${limit}
      offset ${offset}
    )
    select ${eventColumns(sql)}
    from page g
    join events e on e.height = g.height and e.place = g.place and e.event_index = g.event_index
    ${eventJoins(sql)}
    order by e.height desc, e.place desc, e.event_index desc
  `;
}
