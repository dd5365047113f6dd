import type { Sql } from '../db/client.ts';

/** A microblock that a canonical block confirmed. */
export type ConfirmedMicroblock = { height: number; hash: Buffer; txCount: number };

/** The microblocks that the blocks at these heights confirm, in the order they were streamed. */
export async function listConfirmedMicroblocks(sql: Sql, heights: number[]): Promise<ConfirmedMicroblock[]> {
  return await sql<ConfirmedMicroblock[]>`
    select t.height, t.microblock as hash, count(*)::int as "txCount"
    from blocks b
    join transactions t on t.height = b.height
    where b.height = any (${heights}::int[]) and b.microblock_sequence >= 0 and t.microblock <> ''
    group by t.height, t.microblock, t.microblock_sequence
    order by t.height, t.microblock_sequence
  `;
}
