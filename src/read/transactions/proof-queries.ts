import type { Sql } from '../../db/client.ts';

/** The header of a block as a node gave it; undefined if none is stored. */
export async function findBlockHeader(sql: Sql, indexHash: Uint8Array): Promise<Uint8Array | undefined> {
  const [row] = await sql<{ header: Buffer }[]>`
    select h.header
    from block_headers h
    where h.index_hash = ${indexHash}
  `;
  return row?.header;
}

/** A transaction of a block; only the one that was asked for has its bytes. */
export type OwnTransaction = { tx_id: Buffer; raw: Buffer | null };

/**
 * The transactions that a block itself holds, in order. Operations of Bitcoin have one byte instead of a transaction; what the
 * node made for a new epoch has no chain id.
 */
export async function listOwnTransactions(sql: Sql, height: number, id: Uint8Array): Promise<OwnTransaction[]> {
  return await sql<OwnTransaction[]>`
    select t.tx_id, case when t.tx_id = ${id} then t.raw end as raw
    from transactions t
    where t.height = ${height} and length(t.raw) > 1 and substring(t.raw from 2 for 4) <> ${Buffer.alloc(4)}
    order by t.tx_index
  `;
}
