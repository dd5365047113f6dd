import type { AbiFunction, AbiType } from '@cairn-stacks/codec/clarity/abi';
import type { TokenClass } from './token-notification.ts';

/** The class of a token contract and the name of its first native token, if its interface declares one. */
export type TokenContract = { tokenClass: TokenClass; asset: string | undefined };

type Interface = { functions?: unknown; fungible_tokens?: unknown; non_fungible_tokens?: unknown };
type Signatures = Readonly<Record<string, readonly AbiType[]>>;

const uint: AbiType = 'uint128';
const principal: AbiType = 'principal';
const memo: AbiType = { buffer: { length: 34 } };

const semiFungible: Signatures = {
  'get-balance': [uint, principal],
  'get-overall-balance': [principal],
  'get-total-supply': [uint],
  'get-overall-supply': [],
  'get-decimals': [uint],
  'get-token-uri': [uint],
  transfer: [uint, uint, principal, principal],
  'transfer-memo': [uint, uint, principal, principal, memo],
};

const nonFungible: Signatures = {
  'get-last-token-id': [],
  'get-token-uri': [uint],
  'get-owner': [uint],
  transfer: [uint, principal, principal],
};

const fungible: Signatures = {
  transfer: [uint, principal, principal, { optional: memo }],
  'get-name': [],
  'get-symbol': [],
  'get-decimals': [],
  'get-balance': [principal],
  'get-total-supply': [],
  'get-token-uri': [],
};

/**
 * The class of a contract by its interface; undefined if it is not a token. Only names and argument types of functions count,
 * as in the published metadata service; SIP-013 is checked before SIP-009, and SIP-009 before SIP-010.
 */
export function tokenContractOf(abi: unknown): TokenContract | undefined {
  const { functions, fungible_tokens, non_fungible_tokens } = (abi ?? {}) as Interface;
  if (!Array.isArray(functions)) return undefined;
  const byName = new Map((functions as AbiFunction[]).map(each => [each?.name, each]));
  const fits = (signatures: Signatures) =>
    Object.entries(signatures).every(([name, types]) => takes(byName.get(name), types));
  const [fungibleName, nonFungibleName] = [firstName(fungible_tokens), firstName(non_fungible_tokens)];
  if (fits(semiFungible)) return { tokenClass: 'sft', asset: nonFungibleName ?? fungibleName };
  if (nonFungibleName !== undefined && fits(nonFungible)) return { tokenClass: 'nft', asset: nonFungibleName };
  if (fungibleName !== undefined && fits(fungible)) return { tokenClass: 'ft', asset: fungibleName };
  return undefined;
}

function takes(called: AbiFunction | undefined, types: readonly AbiType[]): boolean {
  if (!Array.isArray(called?.args) || called.args.length !== types.length) return false;
  return types.every((type, i) => sameType(called.args[i]?.type, type));
}

/** Compares with one of the types above: a word, a buffer, or an optional of these. */
function sameType(type: AbiType | undefined, wanted: AbiType): boolean {
  if (typeof type !== 'object' || typeof wanted !== 'object') return type === wanted;
  if ('optional' in wanted) return 'optional' in type && sameType(type.optional, wanted.optional);
  return 'buffer' in wanted && 'buffer' in type && type.buffer.length === wanted.buffer.length;
}

function firstName(tokens: unknown): string | undefined {
  const name = Array.isArray(tokens) ? (tokens[0] as { name?: unknown } | undefined)?.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
