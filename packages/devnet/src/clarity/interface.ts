import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import type { ContractInterface } from '../contracts/token-contract.ts';
import { TypeInference } from './inference.ts';
import type { Definitions } from './scope.ts';

/** The result type of a function that the reader cannot tell: a public function always returns a response. */
const unknownResult = {
  public: { response: { ok: 'none', error: 'none' } },
  read_only: 'none',
  private: 'none',
} as const;

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
const order = { private: 0, public: 1, read_only: 2 } as const;

/** The interface of a contract in the format and order of a node. */
export function interfaceOfDefinitions(
  definitions: Definitions,
  { epoch, clarity_version }: Pick<ContractInterface, 'epoch' | 'clarity_version'>,
): ContractInterface {
  const inference = new TypeInference(definitions);
  const functions = [...definitions.functions].map(([name, { access, args }]) => ({
    name,
    access,
    args: args.map(([argument, type]) => ({ name: argument, type })),
    outputs: { type: inference.result(name) ?? (unknownResult[access] as AbiType) },
  }));
  return {
    functions: functions.sort((a, b) => order[a.access] - order[b.access] || byName(a, b)),
    variables: [
      ...[...definitions.constants.keys()]
        .map(name => ({ name, type: inference.constant(name) ?? 'none', access: 'constant' as const }))
        .sort(byName),
      ...[...definitions.variables]
        .map(([name, { type }]) => ({ name, type, access: 'variable' as const }))
        .sort(byName),
    ],
    maps: [...definitions.maps].map(([name, { key, value }]) => ({ name, key, value })).sort(byName),
    fungible_tokens: [...definitions.fungibleTokens.keys()].map(name => ({ name })).sort(byName),
    non_fungible_tokens: [...definitions.nonFungibleTokens].map(([name, type]) => ({ name, type })).sort(byName),
    epoch,
    clarity_version,
  };
}
