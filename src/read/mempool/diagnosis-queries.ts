import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import { constant, type Sql } from '../../db/client.ts';

/** Facts about a pending transaction in addition to its bytes and its accounts. */
type PendingPlace = {
  received_at: number;
  received_tenure: number;
  /** Other pending transactions of its type; how many of them pay less, and how many as much. */
  others: number;
  cheaper: number;
  equal: number;
  /** Of the tip: its tenure, and whether its blocks carry a time, as they do since Nakamoto. */
  tenure: number;
  nakamoto: boolean;
};

/** Undefined when it is not pending. */
export async function findPendingPlace(sql: Sql, txId: Uint8Array): Promise<PendingPlace | undefined> {
  const [row] = await sql<PendingPlace[]>`
    select m.received_at, m.received_tenure, f.others, f.cheaper, f.equal,
      case when b.tenure < 0 then b.height else b.tenure end as tenure, b.time > 0 as nakamoto
    from mempool m
    cross join fold_position p
    join blocks b on b.height = p.height
    cross join lateral (
      select count(*)::int as others, (count(*) filter (where o.fee < m.fee))::int as cheaper,
        (count(*) filter (where o.fee = m.fee))::int as equal
      from mempool o
      where o.status = ${constant(sql, mempoolStatus.pending)} and o.tx_id <> m.tx_id
        and replace(o.type::text, '6', '1') = replace(m.type::text, '6', '1')
    ) f
    where m.tx_id = ${txId} and m.status = ${constant(sql, mempoolStatus.pending)}
  `;
  return row;
}

/** Micro-STX that pending transactions with smaller nonces take from an account, as sender or as sponsor. */
export async function sumEarlierSpends(sql: Sql, principal: Uint8Array, nonce: bigint): Promise<bigint> {
  const { pending } = mempoolStatus;
  const [row] = await sql<{ total: string }[]>`
    with account as (
      select p.id from principals p where p.name = ${principal}
    ), spends as (
      select m.amount + case when m.sponsor = 0 then m.fee else 0 end as amount
      from account a
      join mempool m on m.sender = a.id and m.status = ${constant(sql, pending)} and m.nonce < ${nonce}
      union all
      select m.fee
      from account a
      join mempool m on m.sponsor = a.id and m.sponsor <> 0 and m.status = ${constant(sql, pending)} and m.sponsor_nonce < ${nonce}
    )
    select coalesce(sum(s.amount), 0)::text as total
    from spends s
  `;
  return BigInt(row!.total);
}
