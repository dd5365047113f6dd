import type { Sql } from '../../db/client.ts';

/** A canonical block with the signatures of its signers, 65 bytes each. */
export type SignedBlockRow = {
  height: number;
  burn_height: number;
  tenure: number;
  time: number;
  hash: Buffer;
  index_hash: Buffer;
  signatures: Buffer;
};

const columns = (sql: Sql) => sql`b.height, b.burn_height, b.tenure, b.time, b.hash, b.index_hash, b.signatures`;

/** Blocks from a height down, newest first. */
export async function listSignedBlocks(sql: Sql, from: number, limit: number): Promise<SignedBlockRow[]> {
  return await sql<SignedBlockRow[]>`
    select ${columns(sql)}
    from blocks b
    where b.height <= ${from}
    order by b.height desc
    limit ${limit}
  `;
}

/** A block by its hash, not its index hash. */
export async function findSignedBlock(sql: Sql, hash: Uint8Array): Promise<SignedBlockRow | undefined> {
  const [row] = await sql<SignedBlockRow[]>`
    select ${columns(sql)}
    from blocks b
    where substring(b.hash from 1 for 8) = ${hash.subarray(0, 8)} and b.hash = ${hash}
  `;
  return row;
}
