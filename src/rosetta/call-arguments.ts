import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError } from '@cairn-stacks/codec/error';
import { fromHex } from '@cairn-stacks/codec/hex';

/** A contract call in the format of the API. */
export type Call = { contract_id: string; function_name: string; function_args?: { hex: string }[] | undefined };

/** The arguments of a call; undefined for one that is not a value: pending calls may contain anything. */
export const argumentsOf = ({ function_args = [] }: Call): (ClarityValue | undefined)[] =>
  function_args.map(({ hex }) => valueIn(fromHex(hex)));

/** The decoded value, or undefined. */
export function valueIn(bytes: Uint8Array): ClarityValue | undefined {
  try {
    return decodeClarity(bytes);
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}
