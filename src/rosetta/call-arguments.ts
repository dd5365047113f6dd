import { type ClarityValue, decodeClarity } from '../codec/clarity/value.ts';
import { CodecError } from '../codec/error.ts';
import { fromHex } from '../codec/hex.ts';

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
