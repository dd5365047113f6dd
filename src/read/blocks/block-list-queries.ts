import { namedState } from '../../cache/tip-queries.ts';
import { totalOfPage } from '../../compat/page-total.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import { type BlockContents, inFirstOrder, txIdsColumn } from './block-contents-queries.ts';
import { type BlockRow, blockColumns, type ListedBlock, listedBlock } from './blocks-queries.ts';
import { firstHeight } from './first-block-queries.ts';
import { splitHexHashes } from './hashes-queries.ts';
import { type CountedMicroblock, microblocksAt } from './microblocks-queries.ts';

/** Newest first, with the number of all blocks. */
export async function listBlocks(
  sql: Sql,
  limit: number,
  offset: number,
): Promise<{ total: number; rows: ListedBlock[] }> {
  const rows = await sql<(ListedBlock & { total: number })[]>`
    select ${listedBlock(sql)}, l.total, ${namedState(sql)}
    from (select max(height)::int8 as highest, max(height) - min(height) + 1 as total from blocks) l
    left join blocks b
      on b.height > l.highest - ${offset}::int8 - ${limit}::int8 and b.height <= l.highest - ${offset}::int8
    order by b.height desc
  `;
  return { total: totalOfPage(rows), rows: rows.filter(row => row.height !== null) };
}

type WholeBlock = { version: string; row: BlockRow; contents: BlockContents };

type WholeRow = BlockRow &
  ListedBlock & { tx_ids: string; accepted: CountedMicroblock[]; streamed: CountedMicroblock[] };

/**
 * The blocks at some heights with their contents, in the order of the heights. The v1 list of blocks
 * shows microblocks newest first, and shows those that the previous block confirmed as those that follow.
 */
export async function listWholeBlocksAt(sql: Sql, heights: readonly number[]): Promise<WholeBlock[]> {
  const rows = await sql<WholeRow[]>`
    select ${blockColumns(sql)}, ${listedBlock(sql)}, ${txIdsColumn(sql)},
      ${microblocksAt(sql, sql`b.height`)} as accepted,
      ${microblocksAt(sql, sql`b.height - 1`)} as streamed,
      ${namedState(sql)}
    from unnest(${arrayLiteral(heights)}::int[]) with ordinality as w (height, n)
    join blocks b on b.height = w.height
    order by w.n
  `;
  return rows.map(row => ({
    version: row.version,
    row,
    contents: {
      txIds: splitHexHashes(row.tx_ids),
      accepted: row.accepted.reverse(),
      streamed: row.streamed.reverse(),
    },
  }));
}

/** A page that ends with block 1, whose order depends on the blocks next to it; sends several statements. */
export async function listFirstBlocks(sql: Sql, limit: number, offset: number) {
  const { total, rows } = await listBlocks(sql, limit, offset);
  const blocks = await listWholeBlocksAt(
    sql,
    rows.map(row => row.height),
  );
  const first = blocks.find(({ row }) => row.height === firstHeight);
  if (first) {
    const following = blocks.filter(block => block !== first).map(({ contents }) => contents.txIds.length);
    first.contents.txIds = await inFirstOrder(sql, first.contents.txIds, following.reverse());
  }
  return { total, blocks };
}
