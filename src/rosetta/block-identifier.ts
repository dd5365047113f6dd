import { CodecError } from '@cairn-stacks/codec/error';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import type { Sql } from '../db/client.ts';
import { type BlockRow, findBlock, findBlockByHash } from '../read/blocks/blocks-queries.ts';
import { type ErrorCode, RosettaError } from './errors.ts';

type Named = { index?: unknown; hash?: string | undefined };

/** Which hash of a block its identifier shows; requests may name either. */
export type ShownHash = 'block_hash' | 'index_block_hash';

/** Where nothing else is set, and for clients of the incumbent. */
export const usualHash: ShownHash = 'block_hash';

/** The identifier of a block. */
export const identifierOf = (
  { height, hash, index_hash }: Pick<BlockRow, 'height' | 'hash' | 'index_hash'>,
  shown: ShownHash = usualHash,
) => ({ index: height, hash: toHex(shown === 'block_hash' ? hash : index_hash) });

/** The identifier of its parent. */
export const parentIdentifierOf = (
  { height, parent_hash, parent_index_hash }: Pick<BlockRow, 'height' | 'parent_hash' | 'parent_index_hash'>,
  shown: ShownHash = usualHash,
) => ({ index: height - 1, hash: toHex(shown === 'block_hash' ? parent_hash : parent_index_hash) });

const HASH_BYTES = 32;
const LARGEST_HEIGHT = 2_147_483_647;

/** Parses 32 bytes of hex, with or without `0x`; throws the error of the given code. */
export function hashOf(text: string, code: ErrorCode): Uint8Array {
  try {
    const bytes = fromHex(text);
    if (bytes.length === HASH_BYTES) return bytes;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
  throw new RosettaError(code);
}

/** Throws unless the parts of an identifier are a height and a hash. */
export function checkIdentifier({ index, hash }: Named): void {
  if (index !== undefined && !(Number.isInteger(index) && Number(index) >= 0)) throw new RosettaError(604);
  if (hash === '') throw new RosettaError(606, 'the hash is empty: leave index and hash out for the newest block');
  if (hash !== undefined) hashOf(hash, 606);
}

/**
 * The canonical block of a request: by hash or by index, which must name the same block if both are given; neither means the
 * tip. Undefined if the chain has no such block; block 0 has no row.
 */
export async function findNamedBlock(sql: Sql, named: Named, compat: boolean): Promise<BlockRow | undefined> {
  if (compat) return await findCompatBlock(sql, named);
  checkIdentifier(named);
  const { index, hash } = named as { index?: number; hash?: string };
  if (hash === undefined) return await blockAt(sql, index);
  const block = await findBlock(sql, { hash: hashOf(hash, 606) });
  if (block) assertIndex(index, block.height, hash);
  return block;
}

/** Throws if an index is not that of the block with the hash. */
export function assertIndex(index: unknown, height: number, hash: string): void {
  if (index === undefined || index === height) return;
  throw new RosettaError(606, `index and hash name different blocks: ${hash} has index ${height}, not ${index}`);
}

/** The block of a balance. */
export async function findBalanceBlock(sql: Sql, named: Named = {}, compat: boolean): Promise<BlockRow> {
  if (compat) return await findCompatBalanceBlock(sql, named);
  const block = await findNamedBlock(sql, named, compat);
  if (block) return block;
  throw new RosettaError(
    605,
    named.index === 0 ? 'balances begin with block 1, which has the initial allocations' : undefined,
  );
}

/** The canonical block at a height; without a height, the tip. */
async function blockAt(sql: Sql, height: number | undefined): Promise<BlockRow | undefined> {
  if (height === undefined) return await findBlock(sql, 'latest');
  return height === 0 || height > LARGEST_HEIGHT ? undefined : await findBlock(sql, { height });
}

/** For the incumbent any other index than a height above 0 means the tip. */
const compatHeight = ({ index }: Named) => (typeof index === 'number' && index > 0 ? index : undefined);

/** In a `/block` request to the incumbent the hash takes precedence over the index. */
async function findCompatBlock(sql: Sql, named: Named): Promise<BlockRow | undefined> {
  return named.hash ? await findBlockByHash(sql, hashOf(named.hash, 606)) : await blockAt(sql, compatHeight(named));
}

/** For a balance the index takes precedence over the hash, which must match that block and begin with `0x`. */
async function findCompatBalanceBlock(sql: Sql, named: Named): Promise<BlockRow> {
  const height = compatHeight(named);
  if (named.hash !== undefined && !named.hash.startsWith('0x')) throw new RosettaError(606);
  const block =
    named.hash !== undefined && height === undefined
      ? await findBlockByHash(sql, hashOf(named.hash, 606))
      : await blockAt(sql, height);
  if (!block) throw new RosettaError(605);
  if (named.hash !== undefined && named.hash !== toHex(block.hash)) throw new RosettaError(606);
  return block;
}
