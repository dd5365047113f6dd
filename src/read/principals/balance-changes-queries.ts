import { eventCodes } from '../../chain/event.ts';
import { role } from '../../chain/role.ts';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';
import { sidedEvents } from '../events/events-queries.ts';
import { extrasOf } from '../transactions/transactions-queries.ts';
import { paysFee } from './summaries-queries.ts';

/** How a transaction changed what an account has of one asset. */
export type BalanceChangeRow = {
  height: number;
  place: number;
  microblock_sequence: number;
  tx_index: number;
  tx_id: Buffer;
  extras: Record<string, string> | null;
  /** 1 for STX, 2 for a fungible token, 3 for NFTs, which are counted. */
  asset_type: number;
  contract: Buffer | null;
  asset_name: string | null;
  /** Includes the fee for the principal that paid it. */
  sent: string;
  received: string;
};

/** What confirmed transactions changed for an account, asset by asset, in no order; nothing for unknown ones. */
export async function listBalanceChanges(
  sql: Sql,
  principal: Uint8Array,
  ids: readonly Uint8Array[],
): Promise<BalanceChangeRow[]> {
  return await sql<BalanceChangeRow[]>`
    select t.height, t.place, t.microblock_sequence, t.tx_index, t.tx_id, c.asset_type, k.name as contract,
      a.name as asset_name, coalesce(c.sent, 0) as sent, coalesce(c.received, 0) as received,
      case when t.height = 1 then ${extrasOf(sql)} end as extras
    from transactions t
    join blocks b on b.height = t.height
    join principals p on p.name = ${principal}
    join principal_transactions h on h.principal = p.id and h.height = t.height and h.place = t.place
    cross join lateral (
      select 1 as asset_type, 0 as asset,
        h.sent + case when ${paysFee(sql, sql`h`)} then t.fee else 0 end as sent, h.received
      -- The payer of a fee has a row even if the fee is zero. In block 0, which has no fees, only transfers count.
      where h.role & ${constant(sql, role.stx)} <> 0
        or ${paysFee(sql, sql`h`)} and not (t.height = 1 and exists (
          select from transaction_extras x where x.height = t.height and x.place = t.place and x.name = 'genesis'
        ))
      union all
      select e.asset_type, e.asset, sum(e.amount) filter (where e.sender = p.id),
        sum(e.amount) filter (where e.recipient = p.id)
      from (
        select e.asset, e.sender, e.recipient, ${isNft(sql)} + 2 as asset_type,
          case when ${isNft(sql)} = 1 then 1 else e.amount end as amount
        from ${sidedEvents(sql, sql`t.height`, sql`t.place`, sql`p.id`)} e
        where h.role & ${constant(sql, role.ft | role.nft)} <> 0
          and e.kind between ${constant(sql, eventCodes.ft_transfer)} and ${constant(sql, eventCodes.nft_burn)}
      ) e
      group by e.asset_type, e.asset
    ) c
    left join assets a on a.id = c.asset and c.asset_type > 1
    left join principals k on k.id = a.contract
    where substring(t.tx_id from 1 for 7) = any (${arrayLiteral(ids.map(id => id.subarray(0, 7)))}::bytea[])
      and t.tx_id = any (${arrayLiteral(ids)}::bytea[])
  `;
}

const isNft = (sql: Sql) => sql`(e.kind >= ${constant(sql, eventCodes.nft_transfer)})::int`;
