import { revision } from '../../cache/revision.ts';
import { namedState } from '../../cache/tip-queries.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';

/** A block as in its header and in the message of the node. */
export type BlockRow = {
  height: number;
  /** Header time; 0 where the block has none (2.x). */
  time: number;
  burn_height: number;
  burn_time: number;
  /** -1 where the node did not say. */
  tenure: number;
  tx_count: number;
  read_count: number;
  write_count: number;
  read_length: bigint;
  write_length: bigint;
  runtime: bigint;
  hash: Buffer;
  index_hash: Buffer;
  parent_hash: Buffer;
  parent_index_hash: Buffer;
  burn_hash: Buffer;
  miner_tx_id: Buffer;
  /** Last microblock it confirms: '' and -1 when none. */
  microblock: Buffer;
  microblock_sequence: number;
  canonical: boolean;
};

/** A block of a list: its position, and the revision at which it was read. */
export type ListedBlock = { height: number; version: string };

/** `ListedBlock` of a block `b`. */
export const listedBlock = (sql: Sql) => sql`b.height, ${revision(sql)} as version`;

/** A height, a block hash or index hash, or the newest; each names at most one canonical block. */
export type BlockKey = { height: number } | { hash: Uint8Array } | 'latest';

/** The key of a block, or a hash that is a block hash and nothing else. */
export type StrictBlockKey = BlockKey | { blockHash: Uint8Array };

export const blockColumns = (sql: Sql) => sql`
  b.height, b.time, b.burn_height, b.burn_time, b.tenure, b.tx_count, b.read_count, b.write_count, b.read_length,
  b.write_length, b.runtime, b.hash, b.index_hash, b.parent_hash, b.parent_index_hash, b.burn_hash, b.miner_tx_id,
  b.microblock, b.microblock_sequence, true as canonical
`;

/** The condition that block `b` is the one a key names. */
export const isBlock = (sql: Sql, key: StrictBlockKey) => {
  if (key === 'latest') return sql`b.height = (select max(l.height) from blocks l)`;
  if ('height' in key) return sql`b.height = ${key.height}`;
  if ('hash' in key) return sql`b.height in (${heightsByHash(sql, key.hash)})`;
  return hasBlockHash(sql, key.blockHash);
};

/** Either hash of a block; the first eight bytes are what the index holds. */
const heightsByHash = (sql: Sql, hash: Uint8Array) => sql`
  select h.height
  from blocks h
  where h.index_hash = ${hash}
  union all
  select h.height
  from blocks h
  where substring(h.hash from 1 for 8) = ${hash.subarray(0, 8)} and h.hash = ${hash}
`;

/** The condition that block `b` has this block hash; the first eight bytes are what the index holds. */
const hasBlockHash = (sql: Sql, hash: Uint8Array) =>
  sql`substring(b.hash from 1 for 8) = ${hash.subarray(0, 8)} and b.hash = ${hash}`;

export async function findBlock(sql: Sql, key: BlockKey): Promise<BlockRow | undefined> {
  const [row] = await sql<BlockRow[]>`
    select ${blockColumns(sql)}, ${namedState(sql)}
    from blocks b
    where ${isBlock(sql, key)}
  `;
  return row;
}

/** The lowest block: the first of the chain, or where the index began. */
export async function findFirstBlock(sql: Sql): Promise<BlockRow | undefined> {
  const [row] = await sql<BlockRow[]>`
    select ${blockColumns(sql)}
    from blocks b
    order by b.height
    limit 1
  `;
  return row;
}

/** So many blocks from a height on, lowest first. */
export async function listBlocksFrom(sql: Sql, height: number, limit: number): Promise<BlockRow[]> {
  return await sql<BlockRow[]>`
    select ${blockColumns(sql)}
    from blocks b
    where b.height >= ${height}
    order by b.height
    limit ${limit}
  `;
}

/** The blocks at some heights, in the order of the heights. */
export async function listBlocksAt(sql: Sql, heights: readonly number[]): Promise<(BlockRow & ListedBlock)[]> {
  return await sql<(BlockRow & ListedBlock)[]>`
    select ${blockColumns(sql)}, ${listedBlock(sql)}, ${namedState(sql)}
    from unnest(${arrayLiteral(heights)}::int[]) with ordinality as w (height, n)
    join blocks b on b.height = w.height
    order by w.n
  `;
}

/** By its block hash alone. */
export async function findBlockByHash(sql: Sql, hash: Uint8Array): Promise<BlockRow | undefined> {
  const [row] = await sql<BlockRow[]>`
    select ${blockColumns(sql)}
    from blocks b
    where ${hasBlockHash(sql, hash)}
  `;
  return row;
}

/** The newest Stacks block of a burn block. */
export async function findNewestOfBurnBlock(
  sql: Sql,
  key: { height: number } | { hash: Uint8Array },
): Promise<BlockRow | undefined> {
  const [row] = await sql<BlockRow[]>`
    select ${blockColumns(sql)}
    from blocks b
    where ${
      'height' in key
        ? sql`b.burn_height = ${key.height}`
        : sql`substring(b.burn_hash from 1 for 8) = ${key.hash.subarray(0, 8)} and b.burn_hash = ${key.hash}`
    }
    order by b.height desc
    limit 1
  `;
  return row;
}

/** Blocks from `start` down, and around them what the cursors of the neighbouring pages name. */
export type BlockPage = {
  total: number;
  rows: (ListedBlock & { index_hash: Buffer })[];
  newer: Buffer | undefined;
  older: Buffer | undefined;
  /** False when a cursor was given that names no canonical block of the list. */
  cursorFound: boolean;
};

export type BlockPageQuery = {
  limit: number;
  /** Blocks to go down from the start, or up when negative. */
  offset: number;
  /** Index hash of the block to start from; the newest without it. */
  cursor?: Uint8Array;
  /** Only blocks of this tenure. */
  tenure?: number;
};

type PagedRow = ListedBlock & { index_hash: Buffer; lowest: number; highest: number; start: number };

/** Newest first. The heights of a chain and of a tenure have no gaps, so that every page is a range of heights. */
export async function pageBlocks(sql: Sql, query: BlockPageQuery): Promise<BlockPage> {
  const { limit, offset, cursor } = query;
  const rows = await sql<PagedRow[]>`
    with list as (${boundsOf(sql, query.tenure)}),
    page as (
      select l.lowest, l.highest, ${cursor ? sql`c.height` : sql`l.highest`} - ${offset}::int as start
      from list l
      ${cursor ? sql`join blocks c on c.index_hash = ${cursor} and c.height between l.lowest and l.highest` : sql``}
    )
    select ${listedBlock(sql)}, b.index_hash, p.lowest, p.highest, p.start, ${namedState(sql)}
    from page p
    join blocks b on b.height between greatest(p.start - ${limit}::int, p.lowest)
      and least(p.start + ${limit}::int, p.highest)
    where p.start between p.lowest and p.highest
      and (b.height <= p.start or b.height = p.start + ${limit}::int)
    order by b.height desc
  `;
  const [first] = rows;
  if (!first) return { total: 0, rows: [], newer: undefined, older: undefined, cursorFound: cursor === undefined };
  return {
    total: first.highest - first.lowest + 1,
    rows: rows.filter(row => row.height <= first.start && row.height > first.start - limit),
    newer: rows.find(row => row.height === first.start + limit && limit > 0)?.index_hash,
    older: rows.find(row => row.height === first.start - limit)?.index_hash,
    cursorFound: true,
  };
}

/**
 * Lowest and highest block of the chain, or of a tenure; before Nakamoto each block was a tenure of its own. Tenure 0
 * contains all blocks below the first one that a node announced with a tenure.
 */
function boundsOf(sql: Sql, tenure: number | undefined) {
  if (tenure === undefined) return sql`select min(height) as lowest, max(height) as highest from blocks`;
  if (tenure === 0) {
    return sql`
      select a.lowest, nullif(least(a.highest, t.height - 1), a.lowest - 1) as highest
      from (select min(height) as lowest, max(height) as highest from blocks) a
      left join (select height from blocks where tenure > 0 order by tenure, height limit 1) t on true
    `;
  }
  return sql`
    select min(t.height) as lowest, max(t.height) as highest
    from (
      select height from blocks where tenure = ${tenure}
      union all
      select height from blocks where height = ${tenure} and tenure = -1 and time = 0
    ) t
  `;
}

/** The newest block at or before a time; blocks without a time of their own have that of their burn block. */
export async function findBlockAtTime(sql: Sql, seconds: number): Promise<BlockRow | undefined> {
  const [row] = await sql<BlockRow[]>`
    select ${blockColumns(sql)}
    from blocks b
    where b.height = greatest(
      (select t.height from blocks t where t.time between 1 and ${seconds} order by t.time desc, t.height desc limit 1),
      (
        select t.height
        from blocks t
        where t.burn_time <= ${seconds} and t.time = 0
        order by t.burn_time desc, t.height desc
        limit 1
      )
    )
  `;
  return row;
}

/** Mean seconds between the blocks of the last so many seconds, in the order given; 0 where there are fewer than two. */
export async function findAverageTimes(sql: Sql, windows: number[], now: number): Promise<number[]> {
  const rows = await sql<{ average: number }[]>`
    select coalesce(round((n.time - f.time)::numeric / nullif(n.height - f.height, 0), 2), 0)::float8 as average
    from unnest(${windows}::int[]) with ordinality as w (seconds, place)
    left join lateral (
      select t.height, t.time from blocks t where t.time > 0 order by t.time desc, t.height desc limit 1
    ) n on true
    left join lateral (
      select t.height, t.time
      from blocks t
      where t.time >= ${now} - w.seconds and t.time > 0
      order by t.time, t.height
      limit 1
    ) f on true
    order by w.place
  `;
  return rows.map(row => row.average);
}

/** The signer signatures of a block, 65 bytes each, one after the other. */
export async function findSignatures(
  sql: Sql,
  key: BlockKey,
): Promise<{ height: number; signatures: Buffer } | undefined> {
  const [row] = await sql<{ height: number; signatures: Buffer }[]>`
    select b.height, b.signatures
    from blocks b
    where ${isBlock(sql, key)}
  `;
  return row;
}
