import type { Pieces } from '../../cache/rendered-items.ts';
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { listWholeBlocksAt } from '../../queries/blocks/block-list.ts';
import { type BlockPageQuery, type ListedBlock, listBlocksAt, pageBlocks } from '../../queries/blocks/blocks.ts';
import { type Block, type NakamotoBlock, renderBlock, renderNakamotoBlock } from '../../schemas/blocks/block.ts';
import { renderBlockPage } from '../../schemas/blocks/block-page.ts';

/** The blocks of a list as the first version of the API shows them; those not shown of late are read by one question. */
export const gatherBlocks = (pieces: Pieces, sql: Sql, listed: readonly ListedBlock[]): Promise<Block[]> =>
  pieces.gather(listed, {
    form: 'block',
    keyOf: ({ height }) => height,
    read: missing => listWholeBlocksAt(sql, heightsOf(missing)),
    render: ({ row, contents }) => renderBlock(row, contents),
  });

/** The same as the second version shows them. */
export const gatherNakamotoBlocks = (
  pieces: Pieces,
  sql: Sql,
  listed: readonly ListedBlock[],
): Promise<NakamotoBlock[]> =>
  pieces.gather(listed, {
    form: 'header',
    keyOf: ({ height }) => height,
    read: missing => listBlocksAt(sql, heightsOf(missing)),
    render: row => renderNakamotoBlock(row),
  });

/** A page of blocks, newest first, of the whole chain or of a tenure. */
export async function listNakamotoBlocks(pieces: Pieces, sql: Sql, query: BlockPageQuery) {
  const page = await pageBlocks(sql, query);
  if (!page.cursorFound) throw notFound('Cursor not found');
  const results = await gatherNakamotoBlocks(pieces, sql, page.rows);
  return { limit: query.limit, offset: query.offset, ...renderBlockPage(page), results };
}

const heightsOf = (listed: readonly ListedBlock[]) => listed.map(({ height }) => height);
