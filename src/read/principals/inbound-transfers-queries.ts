import { revisionAt } from '../../cache/revision.ts';
import { eventCodes } from '../../chain/event.ts';
import { bulkSender } from '../../chain/inbound-transfer.ts';
import { role } from '../../chain/role.ts';
import { payloadIds, statusCodes } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';
import { eventPlacesOf, type ListedEvent, listedEvent } from '../events/events-queries.ts';
import {
  type Account,
  type AccountPage,
  accountAt,
  type Counted,
  countUpTo,
  heightsOf,
  highestHeight,
  isWithin,
  lowestHeight,
  type Page,
  readNearThenSearch,
  type SearchRange,
} from './transaction-pages-queries.ts';

/** STX that came in: by a transfer, which says all itself, or by an event of another transaction. */
export type InboundTransferRow = {
  height: number;
  place: number;
  tx_id: Buffer;
  tx_index: number;
  /** The transaction of a transfer, which has the rest; empty for an event. */
  raw: Buffer;
  /** What a transfer on the burn chain said, whose bytes say nothing. */
  burn_operation: string | null;
  sender: Buffer | null;
  amount: string;
  memo: Buffer;
  /** The memo is in the next print event. */
  bulk: boolean;
};

/** Where STX came in: at an event, or with a transaction that is a transfer itself, whose index is -1. */
export type ListedInbound = ListedEvent;

/** The index of a transaction that is a transfer itself. */
export const WHOLE_TRANSFER = -1;

/** STX that came in with a memo, the newest first. An empty page has total 0, as the incumbent has. */
export async function listInboundTransfers(
  sql: Sql,
  account: Account,
  page: Page,
): Promise<AccountPage<ListedInbound>> {
  const { limit, offset } = page;
  const read = (reach: SearchRange) => sql<Counted<ListedInbound>>`
    with recursive account as (
      ${accountAt(sql, account)}
    ), span as (
      select
        c.newest,
        c.newest - c.before as total,
        c.newest - ${offset}::int8 as upper,
        greatest(c.newest - ${offset}::int8 - ${limit}::int8, c.before) as lower
      from (
        select
          ${account.height === undefined ? sql`0` : countUpTo(sql, 'inbound_seq', sql`a.first - 1`)} as before,
          ${countUpTo(sql, 'inbound_seq', sql`a.last`)} as newest
        from account a
        offset 0 -- counted once for all its uses
      ) c
    ), ${highestHeight(sql, 'inbound_seq', page)}, ${reach === 'near' ? historyNear(sql, page) : historyAnywhere(sql, page)},
    entries as (
      select h.height, h.place, h.inbound_seq, ${constant(sql, WHOLE_TRANSFER)} as event_index
      from history h
      join transactions t on t.height = h.height and t.place = h.place
      where ${isTransfer(sql)} and t.target = h.id and t.status = ${constant(sql, statusCodes.success)}
      union all
      select h.height, h.place, h.inbound_seq, e.event_index
      from history h
      join transactions t on t.height = h.height and t.place = h.place
      join events e on e.height = h.height and e.place = h.place and e.recipient = h.id
        and e.kind = ${constant(sql, eventCodes.stx_transfer)}
      where not ${isTransfer(sql)} and (length(e.value) > 0 or exists ${memoAfter(sql)})
    ), numbered as (
      select e.height, e.place, e.event_index,
        e.inbound_seq + 1 - row_number() over (partition by e.height, e.place order by e.event_index desc) as n
      from entries e
    )
    select ${listedEvent(sql)}, s.total::int as total
    from span s
    left join numbered e on e.n > s.lower and e.n <= s.upper
    order by e.n desc
  `;
  return await readNearThenSearch(page, read);
}

/** `history`: the rows of the account by which STX came in, below `highest`. */
const historyNear = (sql: Sql, page: Page) => sql`
  ${lowestHeight(sql, 'inbound_seq', page, 'near')}, history as (
    select a.id, h.height, h.place, h.inbound_seq
    from account a
    cross join span s
    join principal_transactions h on h.principal = a.id
      and ${isWithin(sql)}
      and h.inbound_seq > s.lower
      and ${brings(sql)}
  )
`;

/** `history`: the rows of the account by which STX came in, wherever they are. */
const historyAnywhere = (sql: Sql, page: Page) => sql`
  ${heightsOf(sql, 'inbound_seq', page)}, history as (
    select a.id, h.height, h.place, h.inbound_seq
    from account a
    cross join heights n
    cross join lateral (
      select h.height, h.place, h.inbound_seq
      from principal_transactions h
      where h.principal = a.id and h.height = n.height and ${brings(sql)}
      offset 0 -- block by block, however many others the account has
    ) h
  )
`;

/** Whether STX may have come in by a row `h`. */
export const brings = (sql: Sql) => sql`(h.received > 0 or h.role & ${constant(sql, role.target)}::int <> 0)`;

export const isTransfer = (sql: Sql) => sql`t.type = ${constant(sql, payloadIds.token_transfer)}`;

/** The memo of a payment `e` that has none itself, which the contract of bulk payments prints after it. */
export const memoAfter = (sql: Sql) => sql`(
  select p.value
  from events p
  join principals c on c.id = p.asset
  where length(e.value) = 0
    and p.height = e.height and p.place = e.place and p.event_index = e.event_index + 1
    and p.kind = ${constant(sql, eventCodes.print)}
    and substring(c.name from 22) = ${Buffer.from(`.${bulkSender}`)}
)`;

/** What came in at some places, in the order of the places. */
export async function listInboundTransfersAt(
  sql: Sql,
  listed: readonly ListedInbound[],
): Promise<(InboundTransferRow & { version: string | null })[]> {
  return await sql<(InboundTransferRow & { version: string | null })[]>`
    select w.height, w.place, t.tx_id, t.tx_index, case when e.value is null then t.raw else '' end as raw,
      s.name as sender, coalesce(e.amount, 0) as amount, coalesce(m.value, e.value, '') as memo, m.value is not null as bulk,
      case when length(t.raw) = 1 then (
        select x.body
        from transaction_extras x
        where x.height = t.height and x.place = t.place and x.name = 'burn_operation'
      ) end as burn_operation,
      ${revisionAt(sql, sql`w.height`)} as version
    from ${eventPlacesOf(sql, listed)} as w (height, place, event_index, n)
    join transactions t on t.height = w.height and t.place = w.place
    left join events e on e.height = w.height and e.place = w.place and e.event_index = w.event_index
    left join lateral ${memoAfter(sql)} m on true
    left join principals s on s.id = e.sender
    order by w.n
  `;
}
