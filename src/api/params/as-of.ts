import { Type } from 'typebox';
import { fromHex } from '../../codec/hex.ts';
import { badRequest } from '../../errors.ts';
import type { AsOf } from '../../queries/pages/as-of.ts';

/** Parameters that set the moment an answer is about. */
export const asOfQuery = {
  unanchored: Type.Optional(
    Type.Boolean({ default: false, description: 'Count what is in microblocks that no block has confirmed yet.' }),
  ),
  until_block: Type.Optional(
    Type.String({ description: 'Height or hash of a block: the state after it, rather than the state now.' }),
  ),
};

/** Parameters of lists that may also be limited to one block. */
export const blockQuery = {
  ...asOfQuery,
  height: Type.Optional(
    Type.Integer({
      minimum: -2_147_483_648,
      maximum: 2_147_483_647,
      description: 'Only what happened in this block; 0 means all.',
    }),
  ),
};

export type AsOfQuery = { unanchored?: boolean; until_block?: string };

const maxHeight = 2_147_483_647;

/** The moment a caller asks about; a 400 when the parameters make no sense. */
export function asOfIn({ unanchored, until_block }: AsOfQuery): AsOf {
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

/** The moment and the one block of a list; a 400 when the parameters exclude each other. */
export function asOfAndHeightIn(query: AsOfQuery & { height?: number }): { moment: AsOf; height?: number } {
  const moment = asOfIn(query);
  if (!query.height) return { moment };
  if (query.until_block) throw badRequest("can't handle until_block and block_height in the same request");
  return { moment, height: query.height };
}

/** Whether an answer may tell what is pending: only the state now has a future. */
export const isNow = ({ until_block }: AsOfQuery): boolean => until_block === undefined;

function hashOf(text: string): Uint8Array {
  try {
    return fromHex(text);
  } catch {
    throw badRequest('Invalid hash characters');
  }
}
