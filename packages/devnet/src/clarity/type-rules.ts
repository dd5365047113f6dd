import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { tupleType } from './type.ts';

const moved: AbiType = { response: { ok: 'bool', error: 'uint128' } };
const bytes = (length: number): AbiType => ({ buffer: { length } });

/** Types of names that every contract knows. */
export const keywordTypes: Record<string, AbiType> = {
  'tx-sender': 'principal',
  'contract-caller': 'principal',
  'current-contract': 'principal',
  'tx-sponsor?': { optional: 'principal' },
  'block-height': 'uint128',
  'stacks-block-height': 'uint128',
  'stacks-block-time': 'uint128',
  'tenure-height': 'uint128',
  'burn-block-height': 'uint128',
  'stx-liquid-supply': 'uint128',
  'chain-id': 'uint128',
  'is-in-mainnet': 'bool',
  'is-in-regtest': 'bool',
};

const entries = (names: string, type: AbiType): [string, AbiType][] => names.split(' ').map(name => [name, type]);

/** Built-in functions whose result does not depend on their arguments. */
export const fixedResults: Record<string, AbiType> = Object.fromEntries([
  ...entries('= < > <= >= and or not is-eq is-some is-none is-ok is-err is-standard', 'bool'),
  ...entries('var-set map-set map-insert map-delete secp256k1-verify secp256r1-verify', 'bool'),
  ...entries('ft-transfer? ft-mint? ft-burn? nft-transfer? nft-mint? nft-burn?', moved),
  ...entries('stx-transfer? stx-transfer-memo? stx-burn?', moved),
  ...entries('ft-get-balance ft-get-supply stx-get-balance len to-uint buff-to-uint-be buff-to-uint-le', 'uint128'),
  ...entries('to-int buff-to-int-be buff-to-int-le', 'int128'),
  ...entries('nft-get-owner?', { optional: 'principal' }),
  ...entries('index-of index-of? string-to-uint?', { optional: 'uint128' }),
  ...entries('string-to-int?', { optional: 'int128' }),
  ...entries('contract-of', 'principal'),
  ...entries('principal-of?', { response: { ok: 'principal', error: 'uint128' } }),
  ...entries('hash160', bytes(20)),
  ...entries('sha256 sha512/256 keccak256', bytes(32)),
  ...entries('sha512', bytes(64)),
  ...entries('secp256k1-recover?', { response: { ok: bytes(33), error: 'uint128' } }),
  ...entries('int-to-ascii', { 'string-ascii': { length: 40 } }),
  ...entries('int-to-utf8', { 'string-utf8': { length: 40 } }),
  [
    'stx-account',
    tupleType([
      { name: 'locked', type: 'uint128' },
      { name: 'unlock-height', type: 'uint128' },
      { name: 'unlocked', type: 'uint128' },
    ]),
  ],
]);

/** The least type that holds the values of both; undefined if one is unknown or there is no such type. */
export function unify(a: AbiType | undefined, b: AbiType | undefined): AbiType | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a === 'none' || a === b) return b;
  if (b === 'none') return a;
  if (typeof a === 'string' || typeof b === 'string') return undefined;
  if ('optional' in a && 'optional' in b) {
    const optional = unify(a.optional, b.optional);
    return optional && { optional };
  }
  if ('response' in a && 'response' in b) {
    const [ok, error] = [unify(a.response.ok, b.response.ok), unify(a.response.error, b.response.error)];
    return ok && error && { response: { ok, error } };
  }
  if ('tuple' in a && 'tuple' in b) {
    if (a.tuple.length !== b.tuple.length) return undefined;
    const fields = a.tuple.map(({ name, type }, i) => {
      const other = b.tuple[i]!;
      return { name, type: other.name === name ? unify(type, other.type) : undefined };
    });
    return fields.some(({ type }) => type === undefined)
      ? undefined
      : tupleType(fields as { name: string; type: AbiType }[]);
  }
  if ('list' in a && 'list' in b) {
    const type = unify(a.list.type, b.list.type);
    return type && { list: { type, length: Math.max(a.list.length, b.list.length) } };
  }
  const [one, other] = [lengthOf(a), lengthOf(b)];
  return one && other && one.kind === other.kind ? sized(one.kind, Math.max(one.length, other.length)) : undefined;
}

type Kind = 'buffer' | 'string-ascii' | 'string-utf8';

const sized = (kind: Kind, length: number) => ({ [kind]: { length } }) as unknown as AbiType;

function lengthOf(type: AbiType): { kind: Kind; length: number } | undefined {
  if (typeof type === 'string') return undefined;
  if ('buffer' in type) return { kind: 'buffer', length: type.buffer.length };
  if ('string-ascii' in type) return { kind: 'string-ascii', length: type['string-ascii'].length };
  if ('string-utf8' in type) return { kind: 'string-utf8', length: type['string-utf8'].length };
  return undefined;
}

/** The type of a sequence with more elements: by a number, by those of another sequence, or exactly so many. */
export function lengthenBy(type: AbiType, by: number | AbiType, mode: 'plus' | 'exactly' = 'plus'): AbiType {
  const added = typeof by === 'number' ? by : countOf(by);
  const target = (length: number) => (mode === 'exactly' ? added : length + added);
  if (typeof type === 'object' && 'list' in type) {
    return { list: { type: type.list.type, length: target(type.list.length) } };
  }
  const known = lengthOf(type);
  return known ? sized(known.kind, target(known.length)) : type;
}

function countOf(type: AbiType): number {
  if (typeof type === 'object' && 'list' in type) return type.list.length;
  return lengthOf(type)?.length ?? 0;
}

/** The type of an element of a sequence. */
export function elementOf(type: AbiType | undefined): AbiType | undefined {
  if (type === undefined) return undefined;
  if (typeof type === 'object' && 'list' in type) return type.list.type;
  const known = lengthOf(type);
  return known ? sized(known.kind, 1) : type;
}

/** The type of a field of a tuple, or of an optional tuple. */
export function fieldType(type: AbiType | undefined, name: string): AbiType | undefined {
  if (typeof type !== 'object') return undefined;
  if ('optional' in type) {
    const inner = fieldType(type.optional, name);
    return inner && { optional: inner };
  }
  return 'tuple' in type ? type.tuple.find(field => field.name === name)?.type : undefined;
}
