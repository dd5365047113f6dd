import { fromHex } from '@cairn-stacks/codec/hex';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import type { BlockKey } from './blocks-queries.ts';

/** Heights are four bytes wide, in the tables and on the chain. */
export const maxHeight = 2_147_483_647;

export const HeightParam = Type.Integer({
  minimum: 0,
  maximum: maxHeight,
  description: 'A height, counted in blocks.',
});

/** `latest`, a hash with or without 0x, or a height. */
export const BlockKeyParam = Type.Union(
  [Type.Literal('latest'), Type.String({ pattern: '^(0x)?[a-fA-F0-9]{64}$' }), HeightParam],
  { description: 'A block height, a block hash (with or without `0x`), or `latest`.' },
);

export function blockKeyOf(value: string | number): BlockKey {
  if (typeof value === 'number') return { height: value };
  return value === 'latest' ? value : { hash: fromHex(value) };
}

/** The bytes of a hash as a caller wrote it after `0x`; a 400 when they are none. */
export function hashOf(text: string): Uint8Array {
  if (!text.startsWith('0x')) throw badRequest('Hex string is missing the "0x" prefix');
  try {
    return fromHex(text);
  } catch {
    throw badRequest('Invalid hash characters');
  }
}

/** Block lists start at a block and move from there, at most ten of the largest pages in either direction. */
export const blockPageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 20,
      description: 'Maximum number of blocks to return; 0 means the default.',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: -300,
      maximum: 300,
      default: 0,
      description:
        'Number of blocks to skip from the cursor (or the tip): positive towards older blocks, negative towards newer ones.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      pattern: '^0x[a-fA-F0-9]{64}$',
      description:
        'Index block hash of the first block of the page, from `cursor`, `next_cursor` or `prev_cursor` of a response. Without it the page starts at the tip.',
    }),
  ),
});

export const blockPageOf = (query: { limit?: number; offset?: number; cursor?: string }) => ({
  limit: query.limit || 20,
  offset: query.offset ?? 0,
  ...(query.cursor !== undefined && { cursor: fromHex(query.cursor) }),
});
