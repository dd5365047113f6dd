import type { Pool, Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { renderNakamotoBlockList } from '../blocks/block-list-view.ts';
import type { BlockKey } from '../blocks/blocks-queries.ts';
import { isLoggedBlock } from '../blocks/logged-blocks-queries.ts';
import type { ReadCaches } from '../read-caches.ts';
import { renderBurnBlock } from './burn-block-schema.ts';
import * as queries from './burn-blocks-queries.ts';

type Page = { limit: number; offset: number };

/** Burn blocks with Stacks blocks, newest first. */
export async function listBurnBlocks(sql: Sql, { limit, offset }: Page) {
  const { total, rows } = await queries.listBurnBlocks(sql, limit, offset);
  return { limit, offset, total, results: rows.map(renderBurnBlock) };
}

export async function findBurnBlock(sql: Sql, key: BlockKey) {
  const row = await queries.findBurnBlock(sql, key);
  if (!row) throw notFound('Not found');
  return renderBurnBlock(row);
}

/** Stacks blocks of a burn block, newest first. A burn block of orphans only, or of block 0, has an empty list. */
export async function listBlocksOfBurnBlock(caches: ReadCaches, sql: Pool, key: BlockKey, { limit, offset }: Page) {
  const { total, rows, found } = await queries.listBlocksOfBurnBlock(sql, key, limit, offset);
  if (!found && !(await isBurnBlockOfOrphan(sql, key))) throw notFound('Burn block not found');
  return { limit, offset, total, results: await renderNakamotoBlockList(caches, sql, rows) };
}

async function isBurnBlockOfOrphan(sql: Pool, key: BlockKey): Promise<boolean> {
  if (key === 'latest') return false;
  return await isLoggedBlock(sql, 'height' in key ? { burnHeight: key.height } : { burnHash: key.hash });
}
