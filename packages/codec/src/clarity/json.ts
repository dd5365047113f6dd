import { UnknownCodeError } from '../error.ts';
import { toHex } from '../hex.ts';
import { type AbiFunction, abiTypeText } from './abi.ts';
import { reprClarity } from './repr.ts';
import { typeOfClarity } from './type.ts';

/** A value as the API shows it. */
export type ClarityJson = { hex: string; repr: string };

/** An argument of a contract call as the API shows it. */
export type ArgumentJson = ClarityJson & { name: string; type: string };

/** A serialized value as the API shows it. */
export function clarityJson(bytes: Uint8Array): ClarityJson {
  return { hex: toHex(bytes), repr: reprOf(bytes) };
}

/** The text of a value; of one that holds a type newer than this program, its bytes. */
function reprOf(bytes: Uint8Array): string {
  try {
    return reprClarity(bytes);
  } catch (error) {
    if (error instanceof UnknownCodeError) return toHex(bytes);
    throw error;
  }
}

/** The arguments of a call; without an interface, names are empty and types come from the values. */
export function argumentsJson(args: readonly Uint8Array[], abi?: AbiFunction): ArgumentJson[] {
  return args.map((bytes, i) => {
    const parameter = abi?.args[i];
    return {
      hex: toHex(bytes),
      repr: reprClarity(bytes),
      name: parameter?.name ?? '',
      type: parameter === undefined ? typeOfClarity(bytes) : abiTypeText(parameter.type),
    };
  });
}
