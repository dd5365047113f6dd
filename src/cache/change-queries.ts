import { journalKinds } from '../chain/journal.ts';
import { arrayLiteral, constant, type Sql } from '../db/client.ts';

/** A rollback of the chain: the blocks above the height were removed. */
export type Rollback = { seq: number; height: number };

/** Rollbacks after a journal number, in their order. The kind is a literal, so that the partial index serves the query. */
export async function listRollbacks(sql: Sql, after: number): Promise<Rollback[]> {
  return await sql<Rollback[]>`
    select j.seq::float8 as seq, j.height
    from journal j
    where j.kind = ${constant(sql, journalKinds.rollback)} and j.seq > ${String(after)}::bigint
    order by j.seq
  `;
}

/** Names of at most `limit` principals that the blocks between two heights touched: by transactions, rewards or burn operations. */
export async function listTouchedByBlocks(
  sql: Sql,
  above: number,
  upTo: number,
  limit: number,
): Promise<{ name: Buffer }[]> {
  return await sql<{ name: Buffer }[]>`
    select p.name
    from (
      select h.principal from principal_transactions h where h.height > ${above}::int and h.height <= ${upTo}::int
      union
      select b.principal from stx_balances b where b.height > ${above}::int and b.height <= ${upTo}::int
    ) t
    join principals p on p.id = t.principal
    limit ${limit}
  `;
}

/** Names of the principals that some transactions of the mempool are from, to or paid by. */
export async function listTouchedByPending(sql: Sql, ids: readonly Uint8Array[]): Promise<{ name: Buffer }[]> {
  return await sql<{ name: Buffer }[]>`
    select p.name
    from (
      select unnest(array[m.sender, m.sponsor, m.target]) as principal
      from mempool m
      where m.tx_id = any (${arrayLiteral(ids)}::bytea[])
    ) t
    join principals p on p.id = t.principal
    group by p.name
  `;
}

/** Whether each of some transactions is in the mempool, pending or dropped, or in a block. */
export async function areAllKnown(sql: Sql, ids: readonly Uint8Array[]): Promise<boolean> {
  const [row] = await sql<{ known: boolean }[]>`
    select not exists (
      select
      from unnest(${arrayLiteral(ids)}::bytea[]) as i (tx_id)
      where not exists (select from mempool m where m.tx_id = i.tx_id)
        and not exists (
          select
          from transactions t
          where substring(t.tx_id from 1 for 7) = substring(i.tx_id from 1 for 7) and t.tx_id = i.tx_id
        )
    ) as known
  `;
  return row?.known ?? false;
}
