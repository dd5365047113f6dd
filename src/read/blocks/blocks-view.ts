import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { averageWindows, renderAverageTimes } from './average-times-schema.ts';
import { renderNakamotoBlock } from './block-schema.ts';
import * as queries from './blocks-queries.ts';
import { renderSignatures } from './signature-schema.ts';

export async function findNakamotoBlock(sql: Sql, key: queries.BlockKey) {
  const row = await queries.findBlock(sql, key);
  if (!row) throw notFound('Block not found');
  return { body: renderNakamotoBlock(row), height: key === 'latest' ? undefined : row.height };
}

/** The newest block at or before a time (Unix seconds). */
export async function findNakamotoBlockAtTime(sql: Sql, time: number) {
  const row = await queries.findBlockAtTime(sql, time);
  if (!row) throw notFound('No block found at or before the given timestamp');
  return renderNakamotoBlock(row);
}

/** Mean seconds between blocks in the windows that end at `now` (Unix seconds). */
export const findAverageBlockTimes = async (sql: Sql, now: number) =>
  renderAverageTimes(await queries.findAverageTimes(sql, averageWindows, now));

/** A page of the signatures of the signers of a block. */
export async function listSignerSignatures(
  sql: Sql,
  key: queries.BlockKey,
  { limit, offset }: { limit: number; offset: number },
) {
  const found = await queries.findSignatures(sql, key);
  const body = renderSignatures(found?.signatures, limit, offset);
  return { body, height: key === 'latest' ? undefined : found?.height };
}
