import type { Pool, Sql } from '../db/client.ts';
import { inSnapshot } from '../db/snapshot.ts';
import { type BlockContents, inFirstOrder, txIdsColumn } from './block-contents.ts';
import { type BlockRow, blockColumns } from './blocks.ts';
import { firstHeight } from './first-block.ts';
import { splitHexHashes } from './hashes.ts';
import { type CountedMicroblock, microblocksAt } from './microblocks.ts';

export type ListedBlock = { row: BlockRow; contents: BlockContents };

export type ListedBlocks = { total: number; blocks: ListedBlock[] };

/**
 * Newest first, with the number of all blocks. The old list of blocks has always told their microblocks backwards, and
 * those that the block before confirmed for those that follow.
 */
export async function listBlocks(pool: Pool, limit: number, offset: number): Promise<ListedBlocks> {
  const page = await readPage(pool, limit, offset);
  if (!page.blocks.some(isFirst)) return page;
  // The order of block 1 and its rows are two questions.
  return await inSnapshot(pool, async sql => {
    const { total, blocks } = await readPage(sql, limit, offset);
    const first = blocks.find(isFirst);
    if (first) {
      const following = blocks
        .filter(({ row }) => row.height > firstHeight)
        .map(({ contents }) => contents.txIds.length);
      first.contents.txIds = await inFirstOrder(sql, first.contents.txIds, following.reverse());
    }
    return { total, blocks };
  });
}

const isFirst = ({ row }: ListedBlock) => row.height === firstHeight;

type PageRow = BlockRow & {
  tx_ids: string;
  accepted: CountedMicroblock[];
  streamed: CountedMicroblock[];
  total: number;
};

async function readPage(sql: Sql, limit: number, offset: number): Promise<ListedBlocks> {
  const rows = await sql<PageRow[]>`
    select ${blockColumns(sql)}, ${txIdsColumn(sql)},
      ${microblocksAt(sql, sql`b.height`)} as accepted,
      ${microblocksAt(sql, sql`b.height - 1`)} as streamed,
      l.total
    from (select max(height)::int8 as highest, max(height) - min(height) + 1 as total from blocks) l
    left join blocks b
      on b.height > l.highest - ${offset}::int8 - ${limit}::int8 and b.height <= l.highest - ${offset}::int8
    order by b.height desc
  `;
  return { total: rows[0]?.total ?? 0, blocks: rows.filter(row => row.height !== null).map(listed) };
}

const listed = (row: PageRow): ListedBlock => ({
  row,
  contents: {
    txIds: splitHexHashes(row.tx_ids),
    accepted: row.accepted.reverse(),
    streamed: row.streamed.reverse(),
  },
});
