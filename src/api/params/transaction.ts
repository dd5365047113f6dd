import { Type } from 'typebox';
import { fromHex } from '../../codec/hex.ts';

/** A transaction id, with or without 0x. */
export const TransactionIdParam = Type.String({ pattern: '^(0x)?[a-fA-F0-9]{64}$' });

export const transactionIdOf = (text: string): Uint8Array => fromHex(text);

/** Leaves the arguments of contract calls out; they can be large. */
export const excludeFunctionArgs = {
  exclude_function_args: Type.Optional(
    Type.Boolean({ default: false, description: 'Leave the arguments of contract calls out.' }),
  ),
};

/** Tells the state of a transaction in one word beside its exact status. */
export const includeState = {
  include_state: Type.Optional(
    Type.Boolean({ default: false, description: 'Say in `state` whether it is pending, a success or failed.' }),
  ),
};

/** Whether unconfirmed microblocks count. */
export const unanchored = {
  unanchored: Type.Optional(
    Type.Boolean({ default: false, description: 'Show what is in microblocks that no block has confirmed yet.' }),
  ),
};

/** Which events of a transaction to show. */
export const eventRange = {
  event_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: 20 })),
  event_offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
};
