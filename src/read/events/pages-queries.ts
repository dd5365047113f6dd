import { eventCodes } from '../../chain/event.ts';
import { role } from '../../chain/role.ts';
import { constant, type Sql } from '../../db/client.ts';
import {
  type EventRow,
  eventColumns,
  eventJoins,
  type ListedEvent,
  listedEvent,
  publicEvents,
  sidedEvents,
} from './events-queries.ts';

type EventPage = {
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
): Promise<{ total: number; height: number; rows: EventRow[] } | undefined> {
  const rows = await sql<(EventRow & { total: number; mined_at: number })[]>`
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
    select s.*, f.event_count as total, f.height as mined_at
    from found f
    left join shown s on true
    order by s.event_index
  `;
  const [first] = rows;
  return first && { total: first.total, height: first.mined_at, rows: rows.filter(row => row.tx_id !== null) };
}

/** The role that an account has in a transaction with such an event of its own. */
const roleOfKind: Readonly<Record<number, number>> = {
  [eventCodes.stx_transfer]: role.stx,
  [eventCodes.stx_mint]: role.stx,
  [eventCodes.stx_burn]: role.stx,
  [eventCodes.ft_transfer]: role.ft,
  [eventCodes.ft_mint]: role.ft,
  [eventCodes.ft_burn]: role.ft,
  [eventCodes.nft_transfer]: role.nft,
  [eventCodes.nft_mint]: role.nft,
  [eventCodes.nft_burn]: role.nft,
  [eventCodes.stx_lock]: role.lock,
};

/** The roles of which an account has one in each transaction with such events of its own; none for prints. */
export const rolesOfKinds = (kinds: readonly number[]): number =>
  kinds.reduce((all, kind) => all | (roleOfKind[kind] ?? 0), 0);

/** Transactions of an account whose events may all be passed over for one page. */
const SHORT_HISTORY = 5_000;

/** Whether an account has more transactions than can all be looked through for one page. */
export async function hasLongHistory(sql: Sql, principal: Uint8Array): Promise<boolean> {
  const rows = await sql`
    select 1
    from principal_transactions h
    where h.principal = (select p.id from principals p where p.name = ${principal})
    order by h.height desc
    limit 1
    offset ${SHORT_HISTORY}
  `;
  return rows.length > 0;
}

/** Transactions of an account that are searched for events of rare kinds. */
const MAX_SEARCHED = 100_000;

/**
 * Events that moved assets of a principal, locked its STX or, for a contract, were printed by it; newest first. In one
 * statement the planner would sort the whole history of a busy account. So the newest part is read first, then larger parts
 * until the page is full, at most the newest `MAX_SEARCHED` transactions.
 */
export async function listEventsOfPrincipal(sql: Sql, principal: Uint8Array, page: EventPage): Promise<ListedEvent[]> {
  for (let reach = 2 * (page.limit + page.offset); ; reach = Math.min(16 * reach, MAX_SEARCHED)) {
    const rows = await listNewestEvents(sql, principal, page, reach);
    const events = rows.filter((row): row is ListedEvent & Reached => row.height !== null);
    if (events.length === page.limit || !rows[0]?.is_cut || reach >= MAX_SEARCHED) return events;
  }
}

/** True if there is more history than was read; the only column that is set if no event was found. */
type Reached = { is_cut: boolean };

/**
 * A page of the same in the newest `count` transactions of the account: what moved lies above the block of the one after
 * them, which may be cut off in the middle.
 */
async function listNewestEvents(
  sql: Sql,
  principal: Uint8Array,
  { kinds, limit, offset }: EventPage,
  count: number,
): Promise<(Reached & (ListedEvent | { height: null }))[]> {
  const needed = limit + offset;
  const roles = rolesOfKinds(kinds);
  // What a contract printed and what was locked have indexes of their own: nothing else has to be passed over.
  const lowest = roles === 0 || roles === role.lock ? sql`null::int` : lowestOfNewest(sql, count);
  const hasRole =
    roles === role.lock ? sql`h.role & ${constant(sql, role.lock)} <> 0` : sql`h.role & ${roles}::int <> 0`;
  return await sql<(Reached & (ListedEvent | { height: null }))[]>`
    with who as (
      select p.id, ${lowest} as lowest
      from principals p
      where p.name = ${principal}
    ),
    moved as (
      select e.height, e.place, e.event_index
      from who w
      join principal_transactions h on h.principal = w.id and h.height > coalesce(w.lowest, 0)
        and ${hasRole}
      cross join lateral ${sidedEvents(sql, sql`h.height`, sql`h.place`, sql`w.id`)} e
      where e.kind <> ${constant(sql, eventCodes.print)} and e.kind = any (${kinds}::int[])
    ),
    printed as (
      select e.height, e.place, e.event_index
      from who w
      join events e on e.asset = w.id and e.kind = ${constant(sql, eventCodes.print)} and e.kind = any (${kinds}::int[])
        and e.height > coalesce(w.lowest, 0)
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
    select ${listedEvent(sql)}, w.lowest is not null as is_cut
    from who w
    left join page e on true
    order by e.height desc, e.place desc, e.event_index desc
  `;
}

/** The block of the transaction after the newest `count` ones of the account `p`. */
const lowestOfNewest = (sql: Sql, count: number) => sql`(
  select h.height
  from principal_transactions h
  where h.principal = p.id
  order by h.height desc
  limit 1
  offset ${count}::int8
)`;
