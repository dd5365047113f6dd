import type { AbiFunction, AbiType } from '@cairn-stacks/codec/clarity/abi';

/** Token standards by the number of their SIP. */
const tokenStandards = [9, 10, 13] as const;
export type TokenStandard = (typeof tokenStandards)[number];

type Interface = { functions?: AbiFunction[]; fungible_tokens?: unknown[]; non_fungible_tokens?: unknown[] };
type Signature = { args: AbiType[]; ok: AbiType; draftError?: AbiType };

const ascii = (length: number): AbiType => ({ 'string-ascii': { length } });
const uri = (text: AbiType): AbiType => ({ optional: text });
const getter = (ok: AbiType, ...args: AbiType[]): Signature => ({ args, ok });
const count = (...args: AbiType[]) => getter('uint128', ...args);
const move = (...args: AbiType[]): Signature => ({ args, ok: 'bool' });

const memo: AbiType = { buffer: { length: 34 } };
/** The error of an early draft of SIP-009. */
const draftError: AbiType = {
  tuple: [
    { name: 'kind', type: ascii(32) },
    { name: 'code', type: 'uint128' },
  ],
};

/** The functions of each standard; of an entry with several names any will do. */
const standards: Record<TokenStandard, Record<string, Signature>> = {
  9: {
    'get-last-token-id': count(),
    'get-token-uri': getter(uri(ascii(256)), 'uint128'),
    'get-owner': getter({ optional: 'principal' }, 'uint128'),
    transfer: { ...move('uint128', 'principal', 'principal'), draftError },
  },
  10: {
    transfer: move('uint128', 'principal', 'principal', { optional: memo }),
    'get-name': getter(ascii(32)),
    'get-symbol': getter(ascii(32)),
    'get-decimals': count(),
    'get-total-supply': count(),
    'get-balance get-balance-of': count('principal'),
    'get-token-uri': getter(uri({ 'string-utf8': { length: 256 } })),
  },
  13: {
    'get-balance': count('uint128', 'principal'),
    'get-overall-balance': count('principal'),
    'get-total-supply': count('uint128'),
    'get-overall-supply': count(),
    'get-decimals': count('uint128'),
    'get-token-uri': getter(uri(ascii(256)), 'uint128'),
    transfer: move('uint128', 'uint128', 'principal', 'principal'),
    'transfer-memo': move('uint128', 'uint128', 'principal', 'principal', memo),
  },
};

/** The standards that a contract's interface fulfils, and that it has a token to show for. */
export function tokenStandardsOf(abi: unknown): TokenStandard[] {
  const { functions, fungible_tokens, non_fungible_tokens } = (abi ?? {}) as Interface;
  if (!Array.isArray(functions)) return [];
  if (!fungible_tokens?.length && !non_fungible_tokens?.length) return [];
  return tokenStandards.filter(standard =>
    Object.entries(standards[standard]).every(([names, signature]) =>
      names.split(' ').some(name => functions.some(f => f.name === name && hasSignature(f, signature))),
    ),
  );
}

function hasSignature({ name, access, args, outputs }: AbiFunction, wanted: Signature): boolean {
  if (access !== 'public' && (access !== 'read_only' || name.startsWith('transfer'))) return false;
  if (args.length !== wanted.args.length) return false;
  if (!args.every((arg, i) => sameType(arg.type, wanted.args[i]!))) return false;
  const result = outputs?.type;
  if (typeof result !== 'object' || !('response' in result)) return false;
  const { ok, error } = result.response;
  // A function that never fails has no type of error.
  const errors: AbiType[] = ['uint128', 'none', ...(wanted.draftError ? [wanted.draftError] : [])];
  return sameType(ok, wanted.ok) && errors.some(type => sameType(error, type));
}

/** Compares types; a text may be shorter than the standard allows, and the fields of a tuple may be in any order. */
function sameType(type: AbiType, wanted: AbiType): boolean {
  if (typeof type === 'string' || typeof wanted === 'string') return type === wanted;
  for (const kind of ['string-ascii', 'string-utf8'] as const) {
    if (kind in wanted) return lengthOf(type, kind) <= lengthOf(wanted, kind);
  }
  if ('buffer' in wanted) return 'buffer' in type && type.buffer.length === wanted.buffer.length;
  if ('optional' in wanted) {
    return 'optional' in type && (type.optional === 'none' || sameType(type.optional, wanted.optional));
  }
  if ('tuple' in wanted && 'tuple' in type) {
    return (
      type.tuple.length === wanted.tuple.length &&
      wanted.tuple.every(key => type.tuple.some(own => own.name === key.name && sameType(own.type, key.type)))
    );
  }
  return false;
}

function lengthOf(type: AbiType, kind: 'string-ascii' | 'string-utf8'): number {
  if (typeof type === 'string' || !(kind in type)) return Number.POSITIVE_INFINITY;
  return (type as Record<typeof kind, { length: number }>)[kind].length;
}
