import { eventCodes } from '../chain/event.ts';
import { role } from '../chain/role.ts';
import { constant, type Sql } from '../db/client.ts';
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

/** Events of a confirmed transaction from an index on, one more than the page has; undefined without such a transaction. */
export async function listEventsFrom(
  sql: Sql,
  txId: Uint8Array,
  { from, limit }: { from: number; limit: number },
): Promise<{ total: number; rows: EventRow[] } | undefined> {
  const rows = await sql<(EventRow & { total: number })[]>`
    with found as (
      select x.height, x.place, x.event_count
      from transactions x
      join blocks b on b.height = x.height
      where substring(x.tx_id from 1 for 7) = ${txId.subarray(0, 7)} and x.tx_id = ${txId}
    ), shown as (
      select ${eventColumns(sql)}
      from (
        select e.*
        from found f
        join events e on e.height = f.height and e.place = f.place
        where ${publicEvents(sql)} and e.event_index >= ${from}::int
        order by e.event_index
        limit ${limit + 1}
      ) e
      ${eventJoins(sql)}
    )
    select s.*, f.event_count as total
    from found f
    left join shown s on true
    order by s.event_index
  `;
  const [first] = rows;
  return first && { total: first.total, rows: rows.filter(row => row.tx_id !== null) };
}

const movedAssets = role.stx | role.ft | role.nft | role.lock;

/**
 * Events that moved assets of a principal, locked its STX or, for a contract, were printed by it; newest first. Asked for
 * all at once, the planner sorts the whole history of a busy account, so its newest part is read, and more where that
 * holds too few events of the kinds.
 */
export async function listEventsOfPrincipal(sql: Sql, principal: Uint8Array, page: EventPage): Promise<EventRow[]> {
  for (let reach = 2 * (page.limit + page.offset); ; reach *= 16) {
    const lowest = await findHeightBelow(sql, principal, reach);
    const rows = await listEventsAbove(sql, principal, page, lowest ?? 0);
    if (rows.length === page.limit || lowest === undefined) return rows;
  }
}

/** The block of the transaction after the newest `count` ones of an account; undefined where there is none. */
async function findHeightBelow(sql: Sql, principal: Uint8Array, count: number): Promise<number | undefined> {
  const [row] = await sql<{ height: number | null }[]>`
    select (
      select h.height
      from principal_transactions h
      where h.principal = p.id
      order by h.height desc
      limit 1
      offset ${count}::int8
    ) as height
    from principals p
    where p.name = ${principal}
  `;
  return row?.height ?? undefined;
}

/** A page of the same, where what moved lies above a height: the block itself may be cut off in the middle. */
async function listEventsAbove(
  sql: Sql,
  principal: Uint8Array,
  { kinds, limit, offset }: EventPage,
  lowest: number,
): Promise<EventRow[]> {
  const needed = limit + offset;
  return await sql<EventRow[]>`
    with who as (select p.id from principals p where p.name = ${principal}),
    moved as (
      select e.*
      from who w
      join principal_transactions h on h.principal = w.id and h.height > ${lowest} and h.role & ${movedAssets} <> 0
      cross join lateral ${sidedEvents(sql, sql`h.height`, sql`h.place`, sql`w.id`)} e
      where e.kind <> ${constant(sql, eventCodes.print)} and e.kind = any (${kinds}::int[])
    ),
    printed as (
      select e.*
      from who w
      join events e on e.asset = w.id and e.kind = ${constant(sql, eventCodes.print)} and e.kind = any (${kinds}::int[])
        and e.height > ${lowest}
        and e.height >= coalesce((
          select l.height
          from events l
          where l.asset = w.id and l.kind = ${constant(sql, eventCodes.print)}
          order by l.height desc
          limit 1
          offset ${needed}::int8 - 1
        ), 0)
    ),
    page as (
      select a.*
      from (select * from moved union all select * from printed) a
      order by a.height desc, a.place desc, a.event_index desc
      limit ${limit}
      offset ${offset}
    )
    select ${eventColumns(sql)}
    from page e
    ${eventJoins(sql)}
    order by e.height desc, e.place desc, e.event_index desc
  `;
}
