import { type AbiFunction, abiTypeText } from '@cairn-stacks/codec/clarity/abi';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { type Static, Type } from 'typebox';
import { ClarityText } from './clarity-schema.ts';

/** The result of a read-only call. */
export const FunctionCallResult = Type.Object(
  {
    result: ClarityText,
    type: Type.String({ description: 'The type that the function returns, as Clarity source.' }),
  },
  { title: 'FunctionCallResult' },
);

/** Arguments and sender of a read-only call. */
export const FunctionCall = Type.Object(
  {
    arguments: Type.Optional(
      Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown(), { maxItems: 256 })], {
        description:
          'The arguments by name, or as an array in the order of the function. Each has the JSON of its type: `uint` and ' +
          '`int` are numbers or texts of digits, `bool` is a boolean, `principal` is text, `(buff n)` is hex text with `0x`, ' +
          'strings are texts, `(optional …)` is null or the value, `(response …)` is `{"ok": …}` or `{"error": …}`, ' +
          '`(list …)` is an array and `(tuple …)` an object.',
      }),
    ),
    sender: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The principal that calls (`tx-sender`). Default: the deployer of the contract.',
      }),
    ),
  },
  { title: 'FunctionCall' },
);
export type FunctionCall = Static<typeof FunctionCall>;

export const renderCallResult = (value: ClarityValue, { outputs }: AbiFunction): Static<typeof FunctionCallResult> => ({
  result: clarityJson(encodeClarity(value)),
  type: abiTypeText(outputs.type),
});
