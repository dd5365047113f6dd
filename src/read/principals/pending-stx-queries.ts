import { mempoolStatus, minerPayloads } from '../../chain/mempool/mempool.ts';
import { payloadIds } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';

/** What pending transactions would move for an account, in micro-STX. */
export type PendingStx = { inbound: bigint; outbound: bigint };

export type PendingStxRow = { inbound: string; outbound: string };

export const readPendingStx = ({ inbound, outbound }: PendingStxRow): PendingStx => ({
  inbound: BigInt(inbound),
  outbound: BigInt(outbound),
});

/**
 * A subquery of one row about the account whose key is `b.account`: amounts on their way in; amounts and fees on their way out,
 * where a sponsor pays its fees.
 */
export const pendingStx = (sql: Sql) => sql`
  select coalesce(sum(s.inbound), 0)::text as inbound, coalesce(sum(s.outbound), 0)::text as outbound
  from (
    select m.amount as inbound, 0 as outbound
    from mempool m
    where m.target = b.account and m.target <> 0 and m.status = ${constant(sql, mempoolStatus.pending)} and m.type = ${constant(sql, payloadIds.token_transfer)}
    union all
    select 0, m.amount + case when m.sponsor = 0 then m.fee else 0 end
    from mempool m
    where m.sender = b.account and m.status = ${constant(sql, mempoolStatus.pending)} and m.type <> all (${[...minerPayloads]}::int[])
    union all
    select 0, m.fee
    from mempool m
    where m.sponsor = b.account and m.sponsor <> 0 and m.status = ${constant(sql, mempoolStatus.pending)}
  ) s
`;
