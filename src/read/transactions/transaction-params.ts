import { fromHex } from '@cairn-stacks/codec/hex';
import { Type } from 'typebox';

/** A transaction id, with or without 0x. */
export const TransactionIdParam = Type.String({
  pattern: '^(0x)?[a-fA-F0-9]{64}$',
  description: 'A transaction id in hex, with or without `0x`.',
});

export const transactionIdOf = (text: string): Uint8Array => fromHex(text);

/** Leaves the arguments of contract calls out; they can be large. */
export const excludeFunctionArgs = {
  exclude_function_args: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to leave `function_args` of contract calls out of the response.',
    }),
  ),
};

/** Adds the state of a transaction in one word to its exact status. */
export const includeState = {
  include_state: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether to add `state`: `pending`, `success` or `failed`.' }),
  ),
};

/** Whether to add `size`. */
export const includeSize = {
  include_size: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether to add `size`: the bytes of the serialized transaction.' }),
  ),
};

/** Whether unconfirmed microblocks count. */
export const unanchored = {
  unanchored: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to include transactions of microblocks that no block has confirmed yet.',
    }),
  ),
};

/** Which events of a transaction to show. */
export const eventRange = {
  event_limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 20,
      description: 'Maximum number of events to include; 0 means the default.',
    }),
  ),
  event_offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Index of the first event to include.',
    }),
  ),
};
