import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import type { ReadCaches } from '../read-caches.ts';
import { listWholeBlocksAt } from './block-list-queries.ts';
import { renderBlockPage } from './block-page-schema.ts';
import { type Block, type NakamotoBlock, renderBlock, renderNakamotoBlock } from './block-schema.ts';
import { type BlockPageQuery, type ListedBlock, listBlocksAt, pageBlocks } from './blocks-queries.ts';

/** The blocks of a list in the shape of the first version; those missing from the cache are read by one statement. */
export const renderBlockList = (caches: ReadCaches, sql: Sql, listed: readonly ListedBlock[]): Promise<Block[]> =>
  caches.items.render(listed, {
    namespace: 'block',
    keyOf: ({ height }) => height,
    read: missing => listWholeBlocksAt(sql, heightsOf(missing)),
    render: ({ row, contents }) => renderBlock(row, contents),
  });

/** The blocks of a list in the shape of the second version; those missing from the cache are read by one statement. */
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
