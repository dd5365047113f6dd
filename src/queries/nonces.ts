import { mempoolStatus } from '../chain/mempool.ts';
import { decodeTransaction } from '../codec/transaction.ts';
import { constant, type Sql } from '../db/client.ts';
import { type Moment, momentOf } from './moments.ts';

/** The last nonce an account has used up to a moment; null when it used none. */
export type ExecutedNonce = { height: number; nonce: number | null };

type NonceRow = { height: number; nonce: bigint | null; sponsored: Buffer | null };

/**
 * Nonces only grow, so the newest transaction that the account signed has the last one, be it as origin or as sponsor.
 * Operations of the burn chain carry none. Undefined when the moment names no block.
 */
export async function findExecutedNonce(
  sql: Sql,
  principal: Uint8Array,
  moment: Moment,
): Promise<ExecutedNonce | undefined> {
  const [row] = await sql<NonceRow[]>`
    select m.height, n.nonce, n.sponsored
    from (${momentOf(sql, moment)}) m
    left join principals p on p.name = ${principal}
    left join lateral (
      select t.nonce, case when h.role & 1 = 0 then t.raw end as sponsored
      from principal_transactions h
      join transactions t on t.height = h.height and t.place = h.place
      where h.principal = p.id and h.role & 3 <> 0 and h.height <= m.height and length(t.raw) > 1
      -- What block 0 did stands in block 1 behind the rest, with smaller nonces.
      order by h.height desc, case when h.height = 1 then t.nonce else h.place end desc
      limit 1
    ) n on true
  `;
  if (!row) return undefined;
  const sponsorNonce = row.sponsored === null ? undefined : decodeTransaction(row.sponsored).auth.sponsor?.nonce;
  const nonce = sponsorNonce ?? row.nonce;
  return { height: row.height, nonce: nonce === null ? null : Number(nonce) };
}

/** Nonces of the account's pending transactions, as origin or as sponsor, ascending; orphaned coinbases count, as listed. */
export async function listPendingNonces(sql: Sql, principal: Uint8Array): Promise<number[]> {
  const { pending } = mempoolStatus;
  const rows = await sql<{ nonce: bigint }[]>`
    with account as (
      select p.id from principals p where p.name = ${principal}
    )
    select m.nonce
    from account a
    join mempool m on m.sender = a.id and m.status = ${constant(sql, pending)}
    union
    select m.sponsor_nonce
    from account a
    join mempool m on m.sponsor = a.id and m.sponsor <> 0 and m.status = ${constant(sql, pending)}
    order by 1
  `;
  return rows.map(row => Number(row.nonce));
}
