import { fromHex } from '@cairn-stacks/codec/hex';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import type { AsOf } from '../pages/as-of-queries.ts';
import { asOfAtBlock, atBlockQuery } from '../pages/at-block-params.ts';

/** The block after which nonces are shown. */
export const nonceBlockQuery = Type.Object({
  block_height: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The state after this block.' }),
  ),
  block_hash: Type.Optional(Type.String({ description: 'The same by hash, with 0x.' })),
  ...atBlockQuery,
});

type BlockQuery = { block_height?: number; block_hash?: string; at_block?: string };

/** The block as the request names it. */
export const namedBlock = ({ block_height, block_hash }: BlockQuery) =>
  block_height === undefined ? { hash: block_hash } : { height: block_height };

export function asOfBlockIn({ block_height, block_hash, at_block }: BlockQuery): AsOf {
  if (at_block !== undefined) {
    if (block_height !== undefined || block_hash !== undefined) {
      throw badRequest('at_block cannot be combined with block_height or block_hash: give one of them');
    }
    return asOfAtBlock(at_block);
  }
  if (block_height !== undefined && block_hash !== undefined) {
    throw badRequest('Multiple block query parameters specified');
  }
  if (block_height !== undefined) return { height: block_height };
  // What microblocks have executed is used up, confirmed or not.
  if (block_hash === undefined) return 'unanchored';
  if (!/^0x([0-9a-f]{2})*$/i.test(block_hash)) {
    throw badRequest("Query parameter 'block_hash' is not a valid block hash hex string");
  }
  return { hash: fromHex(block_hash) };
}
