import type { Sql } from '../db/client.ts';
import { listWholeBlocksAt } from '../queries/block-list.ts';
import { type ListedBlock, listBlocksAt } from '../queries/blocks.ts';
import { type Block, type NakamotoBlock, renderBlock, renderNakamotoBlock } from '../schemas/block.ts';
import { assertUnmoved, type Pieces } from './pieces.ts';

const heightOf = ({ height }: ListedBlock) => height;

/** The blocks of a list as the first version of the API shows them; those not shown of late are read by one question. */
export const gatherBlocks = (pieces: Pieces, sql: Sql, listed: readonly ListedBlock[]): Promise<Block[]> =>
  pieces.gather(
    listed,
    ({ height, version }) => `block ${height} ${version}`,
    async missing => {
      const blocks = await listWholeBlocksAt(sql, missing.map(heightOf));
      assertUnmoved(
        blocks.map(({ row }) => row),
        missing,
      );
      return blocks.map(({ row, contents }) => renderBlock(row, contents));
    },
  );

/** The same as the second version shows them. */
export const gatherNakamotoBlocks = (
  pieces: Pieces,
  sql: Sql,
  listed: readonly ListedBlock[],
): Promise<NakamotoBlock[]> =>
  pieces.gather(
    listed,
    ({ height, version }) => `header ${height} ${version}`,
    async missing => {
      const rows = await listBlocksAt(sql, missing.map(heightOf));
      assertUnmoved(rows, missing);
      return rows.map(renderNakamotoBlock);
    },
  );
