import { type ClarityValue, decodeClarity } from '../codec/clarity/value.ts';
import { CodecError } from '../codec/error.ts';
import { fromHex } from '../codec/hex.ts';

/** A contract call in the words of the API. */
export type Call = { contract_id: string; function_name: string; function_args?: { hex: string }[] | undefined };

/** The arguments of a call; undefined in place of one that is no value: pending calls may carry anything. */
export const argumentsOf = ({ function_args = [] }: Call): (ClarityValue | undefined)[] =>
  function_args.map(({ hex }) => valueIn(fromHex(hex)));

/** The value that bytes hold, if they hold one. */
export function valueIn(bytes: Uint8Array): ClarityValue | undefined {
  try {
    return decodeClarity(bytes);
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}
