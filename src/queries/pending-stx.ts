import { mempoolStatus, minerPayloads } from '../chain/mempool.ts';
import { constant, type Sql } from '../db/client.ts';

/** What pending transactions would move for an account, in micro-STX. */
export type PendingStx = { inbound: bigint; outbound: bigint };

/** Amounts on their way in; amounts and fees on their way out, where a sponsor pays its fees. */
export async function findPendingStx(sql: Sql, principal: Uint8Array): Promise<PendingStx> {
  const { pending } = mempoolStatus;
  const [row] = await sql<{ inbound: string; outbound: string }[]>`
    with account as (
      select p.id from principals p where p.name = ${principal}
    ), sides as (
      select m.amount as inbound, 0 as outbound
      from account a
      join mempool m on m.target = a.id and m.target <> 0 and m.status = ${constant(sql, pending)} and m.type = 0
      union all
      select 0, m.amount + case when m.sponsor = 0 then m.fee else 0 end
      from account a
      join mempool m on m.sender = a.id and m.status = ${constant(sql, pending)} and m.type <> all (${[...minerPayloads]}::int[])
      union all
      select 0, m.fee
      from account a
      join mempool m on m.sponsor = a.id and m.sponsor <> 0 and m.status = ${constant(sql, pending)}
    )
    select coalesce(sum(s.inbound), 0)::text as inbound, coalesce(sum(s.outbound), 0)::text as outbound
    from sides s
  `;
  return { inbound: BigInt(row!.inbound), outbound: BigInt(row!.outbound) };
}
