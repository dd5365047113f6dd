import { mempoolStatus, minerPayloads } from '../../chain/mempool/mempool.ts';
import { constant, type Sql } from '../../db/client.ts';

/** A pending transaction that uses a nonce of an account. */
export type PendingNonce = { nonce: bigint; tx_id: Buffer; sponsoring: boolean; fee: bigint };

/** Pending transactions of an account by the nonce they use of it, lowest first; a node admits few beyond the next one. */
export async function listNonceChain(sql: Sql, principal: Uint8Array): Promise<PendingNonce[]> {
  const { pending } = mempoolStatus;
  return await sql<PendingNonce[]>`
    with account as (
      select p.id from principals p where p.name = ${principal}
    )
    select m.nonce, m.tx_id, false as sponsoring, m.fee
    from account a
    join mempool m on m.sender = a.id and m.status = ${constant(sql, pending)} and m.type <> all (${[...minerPayloads]}::int[])
    union all
    select m.sponsor_nonce, m.tx_id, true, m.fee
    from account a
    join mempool m on m.sponsor = a.id and m.sponsor <> 0 and m.status = ${constant(sql, pending)}
    order by 1, 4 desc, 2
    limit 1000
  `;
}
