import type { Sql } from '../db/client.ts';

/** The served tip, and the served block at one height. */
export type ServedBlock = {
  tipHeight: number;
  tipIndexHash: Buffer;
  /** Null where no block is served at that height. */
  indexHash: Buffer | null;
};

type Row = { tip_height: number; tip_index_hash: Buffer; index_hash: Buffer | null };

/** Undefined before the first block. */
export async function findServedBlock(sql: Sql, height: number): Promise<ServedBlock | undefined> {
  const [row] = await sql<Row[]>`
    select p.height as tip_height, p.index_hash as tip_index_hash, b.index_hash
    from fold_position p
    left join blocks b
      on b.height = ${height} and b.height <= p.height
    where p.height >= 1
  `;
  return row && { tipHeight: row.tip_height, tipIndexHash: row.tip_index_hash, indexHash: row.index_hash };
}
