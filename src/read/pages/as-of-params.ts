import { fromHex } from '@cairn-stacks/codec/hex';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import type { AsOf } from './as-of-queries.ts';
import { asOfAtBlock, atBlockQuery } from './at-block-params.ts';

/** Parameters for the state as of a block. */
export const asOfQuery = {
  unanchored: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether to include microblocks that no block has confirmed yet. Cannot be combined with `until_block`.',
    }),
  ),
  ...atBlockQuery,
  until_block: Type.Optional(
    Type.String({
      description:
        'Height or hash (with `0x`) of a block. The response describes the state after this block instead of the state at the tip.',
    }),
  ),
};

/** Parameters of lists that may also be limited to one block. */
export const blockQuery = {
  ...asOfQuery,
  height: Type.Optional(
    Type.Integer({
      minimum: -2_147_483_648,
      maximum: 2_147_483_647,
      description: 'Height of a block. The response is limited to this block; 0 means all blocks.',
    }),
  ),
};

type AsOfQuery = { unanchored?: boolean; until_block?: string; at_block?: string };

const maxHeight = 2_147_483_647;

/** The requested point of the chain; 400 when the parameters contradict each other. */
export function asOfIn({ unanchored, until_block, at_block }: AsOfQuery): AsOf {
  if (at_block !== undefined) {
    if (unanchored || until_block !== undefined) {
      throw badRequest('at_block cannot be combined with unanchored=true or until_block: give one of them');
    }
    return asOfAtBlock(at_block);
  }
  if (unanchored && until_block !== undefined) {
    throw badRequest("can't handle both 'unanchored=true' and 'until_block' in the same request");
  }
  if (until_block === undefined || until_block === '') return unanchored ? 'unanchored' : 'tip';
  if (until_block.startsWith('0x')) return { hash: hashOf(until_block) };
  const height = /^\d+$/.test(until_block) ? Number(until_block) : 0;
  if (height < 1 || height > maxHeight) {
    throw badRequest('Unexpected integer value for block height path parameter');
  }
  return { until: height };
}

/** The requested point of the chain and the one block of a list; 400 when the parameters exclude each other. */
export function asOfAndHeightIn(query: AsOfQuery & { height?: number }): { asOf: AsOf; height?: number } {
  const asOf = asOfIn(query);
  if (!query.height) return { asOf };
  if (query.at_block !== undefined) throw badRequest('at_block cannot be combined with height: give one of them');
  if (query.until_block) throw badRequest("can't handle until_block and block_height in the same request");
  return { asOf, height: query.height };
}

/** Whether a response may include pending transactions: only that of the current state. */
export const isNow = ({ until_block, at_block }: AsOfQuery): boolean =>
  until_block === undefined && at_block === undefined;

function hashOf(text: string): Uint8Array {
  try {
    return fromHex(text);
  } catch {
    throw badRequest('Invalid hash characters');
  }
}
