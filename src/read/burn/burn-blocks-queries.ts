import { totalOfPage } from '../../compat/page-total.ts';
import type { Sql } from '../../db/client.ts';
import { type BlockKey, type ListedBlock, listedBlock } from '../blocks/blocks-queries.ts';

/** A burn block as the Stacks blocks in it show it. */
export type BurnBlockRow = {
  burn_height: number;
  burn_hash: Buffer;
  burn_time: number;
  /** Hashes of its Stacks blocks, newest first, 32 bytes each. */
  hashes: Buffer;
  tx_count: number;
  /** Mean seconds between its Stacks blocks; 0 with one block. */
  average_time: number;
};

/** A burn block that has Stacks blocks, by its height, its hash, or the newest. */
export async function findBurnBlock(sql: Sql, key: BlockKey): Promise<BurnBlockRow | undefined> {
  const [row] = await sql<BurnBlockRow[]>`
    select ${burnBlockColumns(sql)}
    from (${newestBlockOf(sql, key)}) n
    cross join lateral (${contents(sql, hasHash(key))}) c
  `;
  return row;
}

/** Newest first, with the number of Stacks blocks: what the list has always called its total. */
export async function listBurnBlocks(sql: Sql, limit: number, offset: number) {
  const rows = await sql<(BurnBlockRow & { total: number })[]>`
    select ${burnBlockColumns(sql)}, (select max(t.height) - min(t.height) + 1 from blocks t) as total
    from (
      select h.burn_height
      from burn_block_heights h
      order by h.burn_height desc
      limit ${limit}
      offset ${offset}
    ) h
    cross join lateral (
      select b.burn_height, b.burn_hash, b.burn_time
      from blocks b
      where b.burn_height = h.burn_height
      order by b.height desc
      limit 1
    ) n
    cross join lateral (${contents(sql, false)}) c
    order by n.burn_height desc
  `;
  return { total: totalOfPage(rows), rows };
}

/** Stacks blocks of a burn block, newest first; not found when it has none. */
export async function listBlocksOfBurnBlock(sql: Sql, key: BlockKey, limit: number, offset: number) {
  const rows = await sql<(ListedBlock & { total: number })[]>`
    with burn as (${newestBlockOf(sql, key)}),
    listed as (
      select b.height
      from burn n
      join blocks b on b.burn_height = n.burn_height ${hasHash(key) ? sql`and b.burn_hash = n.burn_hash` : sql``}
    ),
    page as (select l.height from listed l order by l.height desc limit ${limit} offset ${offset})
    select ${listedBlock(sql)}, c.total
    from (select count(*)::int as total from listed) c
    left join page p on true
    left join blocks b on b.height = p.height
    where c.total > 0
    order by b.height desc
  `;
  const page = rows.filter(row => row.height !== null);
  // An empty page has a total of 0.
  return { found: rows.length > 0, total: totalOfPage(page), rows: page };
}

const hasHash = (key: BlockKey) => typeof key === 'object' && 'hash' in key;

const burnBlockColumns = (sql: Sql) => sql`
  n.burn_height, n.burn_hash, n.burn_time, c.hashes, c.tx_count, c.average_time
`;

/** Burn height, hash and time of the newest Stacks block in the burn block that a key names. */
function newestBlockOf(sql: Sql, key: BlockKey) {
  const newest = sql`select b.burn_height, b.burn_hash, b.burn_time from blocks b`;
  if (key === 'latest') return sql`${newest} order by b.height desc limit 1`;
  if ('height' in key) return sql`${newest} where b.burn_height = ${key.height} order by b.height desc limit 1`;
  return sql`
    ${newest}
    where substring(b.burn_hash from 1 for 8) = ${key.hash.subarray(0, 8)} and b.burn_hash = ${key.hash}
    order by b.height desc
    limit 1
  `;
}

/** What the Stacks blocks of burn block `n` add up to: those of its height, or those of its hash alone. */
const contents = (sql: Sql, byHash: boolean) => sql`
  select
    string_agg(b.hash, ''::bytea order by b.height desc) as hashes,
    sum(b.tx_count)::int as tx_count,
    coalesce(
      (max(coalesce(nullif(b.time, 0), b.burn_time)) - min(coalesce(nullif(b.time, 0), b.burn_time)))
        / nullif(count(*) - 1, 0),
      0
    )::int as average_time
  from blocks b
  where b.burn_height = n.burn_height ${byHash ? sql`and b.burn_hash = n.burn_hash` : sql``}
`;
