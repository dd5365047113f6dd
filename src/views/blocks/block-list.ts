import type { ReadCaches } from '../../cache/read-caches.ts';
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { listWholeBlocksAt } from '../../queries/blocks/block-list.ts';
import { type BlockPageQuery, type ListedBlock, listBlocksAt, pageBlocks } from '../../queries/blocks/blocks.ts';
import { type Block, type NakamotoBlock, renderBlock, renderNakamotoBlock } from '../../schemas/blocks/block.ts';
import { renderBlockPage } from '../../schemas/blocks/block-page.ts';

/** The blocks of a list as the first version of the API shows them; those not shown of late are read by one question. */
export const renderBlockList = (caches: ReadCaches, sql: Sql, listed: readonly ListedBlock[]): Promise<Block[]> =>
  caches.items.render(listed, {
    namespace: 'block',
    keyOf: ({ height }) => height,
    read: missing => listWholeBlocksAt(sql, heightsOf(missing)),
    render: ({ row, contents }) => renderBlock(row, contents),
  });

/** The same as the second version shows them. */
export const renderNakamotoBlockList = (
  caches: ReadCaches,
  sql: Sql,
  listed: readonly ListedBlock[],
): Promise<NakamotoBlock[]> =>
  caches.items.render(listed, {
    namespace: 'header',
    keyOf: ({ height }) => height,
    read: missing => listBlocksAt(sql, heightsOf(missing)),
    render: row => renderNakamotoBlock(row),
  });

/** A page of blocks, newest first, of the whole chain or of a tenure. */
export async function listNakamotoBlocks(caches: ReadCaches, sql: Sql, query: BlockPageQuery) {
  const page = await pageBlocks(sql, query);
  if (!page.cursorFound) throw notFound('Cursor not found');
  const results = await renderNakamotoBlockList(caches, sql, page.rows);
  return { limit: query.limit, offset: query.offset, ...renderBlockPage(page), results };
}

const heightsOf = (listed: readonly ListedBlock[]) => listed.map(({ height }) => height);
