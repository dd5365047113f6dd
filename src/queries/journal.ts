import type { Sql } from '../db/client.ts';

/** A step of the fold: `src/chain/journal.ts` says of which kind. */
export type JournalStep = {
  seq: number;
  /** When the fold's transaction began: the same for all its steps. */
  at: string;
  kind: number;
  height: number;
  index_hash: Buffer;
  /** Ids of 32 bytes that a step changed in the mempool; null where it changed none, or long ago. */
  tx_ids: Buffer | null;
};

/** Steps after a number, in their order. */
export async function listSteps(sql: Sql, after: number, limit: number): Promise<JournalStep[]> {
  return await sql<JournalStep[]>`
    select j.seq::float8 as seq, j.at::text as at, j.kind, j.height, j.index_hash, n.tx_ids
    from journal j
    left join mempool_news n on n.seq = j.seq
    where j.seq > ${String(after)}::bigint
    order by j.seq
    limit ${limit}
  `;
}
