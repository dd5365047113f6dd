import type { AbiFunction } from '@cairn-stacks/codec/clarity/abi';

export type Standard = { name: string; meaning: string };

/** What a standard asks for: its functions with the number of their arguments. */
const standards: readonly (Standard & { functions: Readonly<Record<string, number>> })[] = [
  {
    name: 'SIP-009',
    meaning: 'non-fungible tokens',
    functions: { transfer: 3, 'get-owner': 1, 'get-last-token-id': 0, 'get-token-uri': 1 },
  },
  {
    name: 'SIP-010',
    meaning: 'a fungible token',
    functions: {
      ...{ transfer: 4, 'get-name': 0, 'get-symbol': 0, 'get-decimals': 0, 'get-balance': 1 },
      ...{ 'get-total-supply': 0, 'get-token-uri': 0 },
    },
  },
  {
    name: 'SIP-013',
    meaning: 'semi-fungible tokens',
    functions: {
      ...{ transfer: 4, 'get-balance': 2, 'get-overall-balance': 1, 'get-total-supply': 1, 'get-decimals': 1 },
      'get-token-uri': 1,
    },
  },
];

/** The standards whose functions a contract has. What they do is not known by that. */
export function standardsOf(functions: readonly AbiFunction[]): Standard[] {
  const args = new Map(
    functions.filter(({ access }) => access !== 'private').map(each => [each.name, each.args.length]),
  );
  return standards.filter(standard =>
    Object.entries(standard.functions).every(([name, count]) => args.get(name) === count),
  );
}
