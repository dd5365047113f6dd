import { eventCodes } from '../chain/event.ts';
import { bulkSender } from '../chain/inbound-transfer.ts';
import { role } from '../chain/role.ts';
import { payloadIds, statusCodes } from '../chain/transaction.ts';
import { constant, type Sql } from '../db/client.ts';
import { type Account, accountAt, countUpTo, heightsOf, highestOf, type Page } from './account-pages.ts';

/** STX that came in: by a transfer, which says all itself, or by an event of another transaction. */
export type InboundTransferRow = {
  height: number;
  place: number;
  tx_id: Buffer;
  tx_index: number;
  /** The transaction of a transfer, which tells the rest; empty for an event. */
  raw: Buffer;
  /** What a transfer on the burn chain said, whose bytes say nothing. */
  burn_operation: string | null;
  sender: Buffer | null;
  amount: string;
  memo: Buffer;
  /** The memo stands in the print that follows. */
  bulk: boolean;
};

export type InboundTransfers = { total: number; rows: InboundTransferRow[] };

/** STX that came in with a memo, the newest first. A page without rows says zero, as callers know it. */
export async function listInboundTransfers(sql: Sql, account: Account, page: Page): Promise<InboundTransfers> {
  const { limit, offset } = page;
  const rows = await sql<(InboundTransferRow & { total: number })[]>`
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
          ${countUpTo(sql, 'inbound_seq', sql`a.first - 1`)} as before,
          ${countUpTo(sql, 'inbound_seq', sql`a.last`)} as newest
        from account a
        offset 0 -- counted once for all its uses
      ) c
    ), ${highestOf(sql, 'inbound_seq', page)}, ${heightsOf(sql, 'inbound_seq', page)}, history as (
      select a.id, h.height, h.place, h.inbound_seq, t.tx_id, t.tx_index, t.type, t.status, t.target,
        t.raw
      from account a
      cross join heights n
      cross join lateral (
        select h.height, h.place, h.inbound_seq
        from principal_transactions h
        where h.principal = a.id and h.height = n.height and (h.received > 0 or h.role & ${constant(sql, role.target)}::int <> 0)
        offset 0 -- block by block, however many others the account has
      ) h
      join transactions t on t.height = h.height and t.place = h.place
    ), entries as (
      select h.height, h.place, h.inbound_seq, h.tx_id, h.tx_index, h.raw, 0 as event_index, 0 as sender,
        0::numeric as amount, ''::bytea as memo, false as bulk
      from history h
      where h.type = ${constant(sql, payloadIds.token_transfer)} and h.target = h.id and h.status = ${constant(sql, statusCodes.success)}
      union all
      select h.height, h.place, h.inbound_seq, h.tx_id, h.tx_index, ''::bytea, e.event_index, e.sender, e.amount,
        case when length(e.value) > 0 then e.value else m.value end, length(e.value) = 0
      from history h
      join events e on e.height = h.height and e.place = h.place and e.recipient = h.id
        and e.kind = ${constant(sql, eventCodes.stx_transfer)}
      left join lateral (
        select p.value
        from events p
        join principals c on c.id = p.asset
        where p.height = e.height and p.place = e.place and p.event_index = e.event_index + 1
          and p.kind = ${constant(sql, eventCodes.print)}
          and substring(c.name from 22) = ${Buffer.from(`.${bulkSender}`)}
      ) m on length(e.value) = 0
      where h.type <> ${constant(sql, payloadIds.token_transfer)} and (length(e.value) > 0 or m.value is not null)
    ), numbered as (
      select e.*,
        e.inbound_seq + 1 - row_number() over (partition by e.height, e.place order by e.event_index desc) as n
      from entries e
    )
    select e.height, e.place, e.tx_id, e.tx_index, e.raw, s.name as sender, e.amount, e.memo, e.bulk,
      case when length(e.raw) = 1 then (
        select x.body
        from transaction_extras x
        where x.height = e.height and x.place = e.place and x.name = 'burn_operation'
      ) end as burn_operation,
      n.total::int as total
    from numbered e
    join span n on e.n > n.lower and e.n <= n.upper
    left join principals s on s.id = e.sender
    order by e.n desc
  `;
  return { total: rows[0]?.total ?? 0, rows };
}
