import { journalKinds } from '../chain/journal.ts';
import { constant, type Sql } from '../db/client.ts';

/** A step of the fold: `src/chain/journal.ts` says of which kind. */
export type JournalStep = {
  seq: number;
  /** When the fold's transaction began: the same for all its steps. */
  at: string;
  kind: number;
  height: number;
  index_hash: Buffer;
  /** Ids of 32 bytes that a step changed in the mempool; empty where it changed none, null where that is not stored. */
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

/** Steps looked through for the blocks that a fork took back. */
const LOOKED_BACK = 20_000;

/** Index hashes of the blocks that a step took back, the highest first. */
export async function listRemovedBlocks(sql: Sql, { seq, height }: JournalStep): Promise<Buffer[]> {
  const applied = await sql<{ height: number; index_hash: Buffer }[]>`
    select j.height, j.index_hash
    from journal j
    where j.seq < ${String(seq)}::bigint and j.seq >= ${String(seq - LOOKED_BACK)}::bigint
      and j.kind = ${constant(sql, journalKinds.apply)} and j.height > ${height}
    order by j.seq desc
  `;
  // From the tip down, the block that was last applied at each height; what was higher had removed before.
  const removed: Buffer[] = [];
  let next = applied[0]?.height;
  for (const row of applied) {
    if (row.height !== next) continue;
    removed.push(row.index_hash);
    next--;
  }
  return removed;
}
