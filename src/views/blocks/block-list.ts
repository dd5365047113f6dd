import type { Pieces } from '../../cache/rendered-items.ts';
import type { Sql } from '../../db/client.ts';
import { listWholeBlocksAt } from '../../queries/blocks/block-list.ts';
import { type ListedBlock, listBlocksAt } from '../../queries/blocks/blocks.ts';
import { type Block, type NakamotoBlock, renderBlock, renderNakamotoBlock } from '../../schemas/blocks/block.ts';

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

const heightsOf = (listed: readonly ListedBlock[]) => listed.map(({ height }) => height);
