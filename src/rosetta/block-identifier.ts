import { CodecError } from '../codec/error.ts';
import { fromHex, toHex } from '../codec/hex.ts';
import type { Sql } from '../db/client.ts';
import { type BlockRow, findBlock, findBlockByHash } from '../read/blocks/blocks-queries.ts';
import { type ErrorCode, RosettaError } from './errors.ts';

type Named = { index?: unknown; hash?: string | undefined };

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

/** A height above 0, or undefined for the tip. */
const heightIn = ({ index }: Named) => (typeof index === 'number' && index > 0 ? index : undefined);

/** The canonical block at a height; without a height, the tip. */
async function blockAt(sql: Sql, height: number | undefined): Promise<BlockRow | undefined> {
  if (height === undefined) return await findBlock(sql, 'latest');
  return height > LARGEST_HEIGHT ? undefined : await findBlock(sql, { height });
}

/** The block of a `/block` request: the hash takes precedence over the index, and neither means the tip. */
export async function findNamedBlock(sql: Sql, named: Named): Promise<BlockRow | undefined> {
  return named.hash ? await findBlockByHash(sql, hashOf(named.hash, 606)) : await blockAt(sql, heightIn(named));
}

/** The block of a balance: the index takes precedence over the hash, which must match that block. */
export async function findBalanceBlock(sql: Sql, named: Named = {}): Promise<BlockRow> {
  const height = heightIn(named);
  if (named.hash !== undefined && !named.hash.startsWith('0x')) throw new RosettaError(606);
  const block =
    named.hash !== undefined && height === undefined
      ? await findBlockByHash(sql, hashOf(named.hash, 606))
      : await blockAt(sql, height);
  if (!block) throw new RosettaError(605);
  if (named.hash !== undefined && named.hash !== toHex(block.hash)) throw new RosettaError(606);
  return block;
}
