import { fromHex } from '@cairn-stacks/codec/hex';
import { Type } from 'typebox';
import type { AsOf } from './as-of-queries.ts';

/** The parameter for the state after a past block of the chain. */
export const atBlockQuery = {
  at_block: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]{0,8}|0x[0-9a-fA-F]{64})$',
      description:
        'Height of a block, or its hash or index block hash (with `0x`). The response describes the state after this block instead of ' +
        'the state at the tip. The status is 404 if the chain has no such block.',
    }),
  ),
};

/** The block that a request names; `fallback` without one. */
export function asOfAtBlock(text: string | undefined, fallback: 'tip' | 'unanchored' = 'tip'): AsOf {
  if (text === undefined) return fallback;
  return { block: text.startsWith('0x') ? fromHex(text) : Number(text) };
}
