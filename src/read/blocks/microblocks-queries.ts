import { totalOfPage } from '../../compat/page-total.ts';
import type { Sql } from '../../db/client.ts';

/** A microblock of the canonical chain: one that its block confirmed, or one of the stream on the tip. */
export type MicroblockRow = {
  height: number;
  sequence: number;
  hash: Buffer;
  parent_hash: Buffer;
  /** Null while no block has confirmed it. */
  block_hash: Buffer | null;
  parent_block_hash: Buffer;
  parent_burn_hash: Buffer;
  parent_burn_height: number;
  parent_burn_time: number;
  /** Ids of its transactions, 32 bytes each. */
  tx_ids: Buffer | null;
  canonical: boolean;
  microblock_canonical: boolean;
};

const microblockColumns = (sql: Sql) => sql`
  m.height, m.sequence, m.hash, m.parent_hash, b.hash as block_hash,
  coalesce(p.hash, b.parent_hash) as parent_block_hash,
  coalesce(s.burn_hash, p.burn_hash, b.parent_burn_hash) as parent_burn_hash,
  coalesce(s.burn_height, p.burn_height, b.parent_burn_height) as parent_burn_height,
  coalesce(s.burn_time, p.burn_time, b.parent_burn_time) as parent_burn_time,
  true as canonical, true as microblock_canonical,
  (
    select string_agg(t.tx_id, ''::bytea order by t.place)
    from transactions t
    where t.height = m.height and t.microblock = m.hash
  ) as tx_ids
`;

/**
 * Gives a microblock `m` its block `b`, the block `p` it follows and, if unconfirmed, its stream `s`. Where the index
 * begins with its block, the previous block is known only from that block.
 */
const microblockJoins = (sql: Sql) => sql`
  left join blocks p on p.height = m.height - 1
  left join blocks b on b.height = m.height
  left join microblock_streams s on s.hash = m.hash and b.height is null
`;

/** Newest first, with the total number: an offset becomes a range of the running count. */
export async function listMicroblocks(sql: Sql, limit: number, offset: number) {
  const rows = await sql<(MicroblockRow & { total: number })[]>`
    with counted as (select coalesce(max(ordinal), 0)::int8 as total from microblocks)
    select ${microblockColumns(sql)}, c.total::int as total
    from counted c
    left join microblocks m
      on m.ordinal <= c.total - ${offset}::int8 and m.ordinal > c.total - ${offset}::int8 - ${limit}::int8
    ${microblockJoins(sql)}
    order by m.ordinal desc
  `;
  return { total: totalOfPage(rows), rows: rows.filter(row => row.height !== null) };
}

export async function findMicroblock(sql: Sql, hash: Uint8Array): Promise<MicroblockRow | undefined> {
  const [row] = await sql<MicroblockRow[]>`
    select ${microblockColumns(sql)}
    from microblocks m
    ${microblockJoins(sql)}
    where substring(m.hash from 1 for 8) = ${hash.subarray(0, 8)} and m.hash = ${hash}
  `;
  return row;
}

/** The hash of a microblock, as hex, and how many transactions it has. */
export type CountedMicroblock = { hash: string; txCount: number };

/** The microblocks before the block at a height, in the order they were streamed: an array of `CountedMicroblock`. */
export const microblocksAt = (sql: Sql, height: ReturnType<typeof microblockColumns>) => sql`coalesce((
  select json_agg(
    json_build_object(
      'hash', '0x' || encode(m.hash, 'hex'),
      'txCount', (select count(*) from transactions t where t.height = m.height and t.microblock = m.hash)
    )
    order by m.sequence
  )
  from microblocks m
  where m.height = ${height}
), '[]')`;

/** The stream on the block at a height, in its order, as long as that block is the tip and no other follows it. */
export async function listMicroblocksOn(sql: Sql, height: number): Promise<MicroblockRow[]> {
  return await sql<MicroblockRow[]>`
    select ${microblockColumns(sql)}
    from microblocks m
    ${microblockJoins(sql)}
    where m.height = ${height + 1} and b.height is null
    order by m.sequence
  `;
}
