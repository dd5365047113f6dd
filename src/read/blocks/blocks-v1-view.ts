import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import type { ReadCaches } from '../read-caches.ts';
import { findBlockContents } from './block-contents-queries.ts';
import { listBlocks, listFirstBlocks } from './block-list-queries.ts';
import { renderBlockList } from './block-list-view.ts';
import { type Block, renderBlock } from './block-schema.ts';
import { type BlockRow, findBlock, findBlockByHash, findNewestOfBurnBlock } from './blocks-queries.ts';
import { firstHeight } from './first-block-queries.ts';
import { findLoggedBlock, findOrphanContents, type LoggedBlockKey, orphanBlockRow } from './logged-blocks-queries.ts';

type Page = { limit: number; offset: number };

/** Blocks with the ids of their transactions and microblocks, newest first. */
export async function listBlocksV1(caches: ReadCaches, sql: Reader, { limit, offset }: Page) {
  const { total, rows } = await listBlocks(sql, limit, offset);
  if (rows.at(-1)?.height === firstHeight) return await listToFirstBlock(sql, { limit, offset });
  return { limit, offset, total, results: await renderBlockList(caches, sql, rows) };
}

/** A page that ends with the first block. */
const listToFirstBlock = (pool: Reader, { limit, offset }: Page) =>
  inSnapshot(pool, async sql => {
    const { total, blocks } = await listFirstBlocks(sql, limit, offset);
    return { limit, offset, total, results: blocks.map(({ row, contents }) => renderBlock(row, contents)) };
  });

export const findBlockAtHeight = (sql: Reader, height: number): Promise<Block> =>
  findCanonicalOrOrphan(sql, sql => findBlock(sql, { height }), { height }, 'cannot find block by height');

export const findBlockOfHash = (sql: Reader, hash: Uint8Array): Promise<Block> =>
  findCanonicalOrOrphan(sql, sql => findBlockByHash(sql, hash), { hash }, 'cannot find block by hash');

/** The newest block of a burn block. */
export const findBlockOfBurnHeight = (sql: Reader, height: number): Promise<Block> =>
  findCanonicalOrOrphan(
    sql,
    sql => findNewestOfBurnBlock(sql, { height }),
    { burnHeight: height },
    'cannot find block by height',
  );

/** The newest block of a burn block. */
export const findBlockOfBurnHash = (sql: Reader, hash: Uint8Array): Promise<Block> =>
  findCanonicalOrOrphan(
    sql,
    sql => findNewestOfBurnBlock(sql, { hash }),
    { burnHash: hash },
    'cannot find block by burn block hash',
  );

/** A canonical block, or else the orphan that the log has. */
function findCanonicalOrOrphan(
  pool: Reader,
  find: (sql: Sql) => Promise<BlockRow | undefined>,
  orphan: LoggedBlockKey,
  missing: string,
): Promise<Block> {
  return inSnapshot(pool, async sql => {
    const row = await find(sql);
    if (row) return renderBlock(row, await findBlockContents(sql, row.height));
    const block = await findLoggedBlock(sql, orphan);
    if (!block) throw notFound(missing);
    return renderBlock(orphanBlockRow(block), await findOrphanContents(sql, block));
  });
}
