import { arrayLiteral, type Pool, type Sql } from '../../db/client.ts';

/** A canonical block of Nakamoto. */
export type BlockPlace = { height: number; index_hash: Buffer };

/** The canonical blocks of a range of heights that have a header and none is stored, the newest first. Those of 2.x have no time. */
export async function listBlocksWithoutHeader(sql: Sql, from: number, to: number): Promise<BlockPlace[]> {
  return await sql<BlockPlace[]>`
    select b.height, b.index_hash
    from blocks b
    where b.height between ${from} and ${to}
      and b.time > 0
      and not exists (select from block_headers h where h.index_hash = b.index_hash)
    order by b.height desc
  `;
}

/** The canonical block of a height. */
export async function findBlockAt(sql: Sql, height: number): Promise<BlockPlace | undefined> {
  const [row] = await sql<BlockPlace[]>`
    select b.height, b.index_hash
    from blocks b
    where b.height = ${height}
  `;
  return row;
}

/** The tip of the tables; undefined if they hold no block. */
export async function findTip(sql: Sql): Promise<BlockPlace | undefined> {
  const [row] = await sql<BlockPlace[]>`
    select b.height, b.index_hash
    from blocks b
    where b.height = (select p.height from fold_position p)
  `;
  return row;
}

export async function storeHeaders(sql: Pool, rows: readonly (BlockPlace & { header: Uint8Array })[]): Promise<void> {
  await sql`
    insert into block_headers (index_hash, height, header)
    select n.index_hash, n.height, n.header
    from unnest(
      ${arrayLiteral(rows.map(row => row.index_hash))}::bytea[],
      ${arrayLiteral(rows.map(row => row.height))}::int[],
      ${arrayLiteral(rows.map(row => row.header))}::bytea[]
    ) as n (index_hash, height, header)
    on conflict do nothing
  `;
}

/** Removes the headers of blocks below a height, on every branch. */
export async function removeHeadersBelow(sql: Pool, height: number): Promise<void> {
  await sql`delete from block_headers where height < ${height}`;
}
