import type { AbiFunction, AbiType } from '@cairn-stacks/codec/clarity/abi';

export type AbiVariable = { name: string; access: string; type: AbiType };
export type AbiMap = { name: string; key: AbiType; value: AbiType };

export type Abi = { functions: AbiFunction[]; variables: AbiVariable[]; maps: AbiMap[]; tokens: string[] };

type RawAbi = Partial<{
  functions: AbiFunction[];
  variables: AbiVariable[];
  maps: AbiMap[];
  fungible_tokens: { name: string }[];
  non_fungible_tokens: { name: string }[];
}>;

const order = ['read_only', 'public', 'private'];

/** The interface of a contract as nodes write it, functions that can be called from here first. */
export function readAbi(text: string | null): Abi | undefined {
  if (text === null) return undefined;
  let raw: RawAbi;
  try {
    raw = JSON.parse(text) as RawAbi; // written by a node, not by the author of the contract
  } catch {
    return undefined;
  }
  const { functions = [], variables = [], maps = [], fungible_tokens = [], non_fungible_tokens = [] } = raw;
  return {
    functions: [...functions].sort((a, b) => order.indexOf(a.access) - order.indexOf(b.access)),
    variables,
    maps,
    tokens: [...fungible_tokens, ...non_fungible_tokens].map(({ name }) => name),
  };
}
