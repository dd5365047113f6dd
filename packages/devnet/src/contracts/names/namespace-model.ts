import { isNamespace } from '@cairn-stacks/codec/bns-name';
import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { bool, buffer, list, ok, principal, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { hash160 } from '@cairn-stacks/codec/hash';
import {
  bytesArg,
  type CallContext,
  entryKey,
  fieldsIn,
  type Outcome,
  principalArg,
  readData,
  uintArg,
  type Write,
} from '../contract-model.ts';

/** The stored state of a namespace in both naming contracts. */
export type NamespaceState = {
  namespace: string;
  importer: string;
  revealedAt: number;
  launchedAt: number | undefined;
  lifetime: number;
  /** `{base, coeff, buckets, nonalpha-discount, no-vowel-discount}`. */
  price: ClarityValue;
  /** True if the price function can no longer be changed. */
  priceFixed?: boolean;
  /** Only in the second contract. */
  manager?: string;
  managerTransferable?: boolean;
  managerFrozen?: boolean;
};

export const buff = (length: number): AbiType => ({ buffer: { length } });
export const nameArgs: [string, AbiType][] = [
  ['namespace', buff(20)],
  ['name', buff(48)],
];

/** Numbers of blocks in which a preorder must be used, a namespace launched, and an ended lease renewed by its owner. */
export const claimable = 144;
export const launchable = 52_595;
export const grace = 5_000;

/** The arguments of a preorder; the hash is of a namespace or of a name. */
export const preorderArgs = (hashed: 'hashed-salted-namespace' | 'hashed-salted-fqn'): [string, AbiType][] => [
  [hashed, buff(20)],
  ['stx-to-burn', 'uint128'],
];

export const priceArgs: [string, AbiType][] = [
  ['p-func-base', 'uint128'],
  ['p-func-coeff', 'uint128'],
  ...Array.from({ length: 16 }, (_, i): [string, AbiType] => [`p-func-b${i + 1}`, 'uint128']),
  ['p-func-non-alpha-discount', 'uint128'],
  ['p-func-no-vowel-discount', 'uint128'],
];

/** The common arguments of a reveal in both contracts. */
export const revealArgs: [string, AbiType][] = [
  ['namespace', buff(20)],
  ['namespace-salt', buff(20)],
  ...priceArgs,
  ['lifetime', 'uint128'],
  ['namespace-import', 'principal'],
];

/** The namespace that the arguments of a reveal describe. */
export const revealedNamespace = (args: readonly ClarityValue[], revealedAt: number): NamespaceState => ({
  namespace: labelText(bytesArg(args, 0)),
  importer: principalArg(args, 23),
  revealedAt,
  launchedAt: undefined,
  lifetime: Number(uintArg(args, 22)),
  price: priceIn(args, 2),
});

export const priceType: AbiType = {
  tuple: [
    { name: 'base', type: 'uint128' },
    { name: 'buckets', type: { list: { type: 'uint128', length: 16 } } },
    { name: 'coeff', type: 'uint128' },
    { name: 'no-vowel-discount', type: 'uint128' },
    { name: 'nonalpha-discount', type: 'uint128' },
  ],
};

/** The price function among the arguments of a call. */
export const priceIn = (args: readonly ClarityValue[], from: number): ClarityValue =>
  tuple({
    base: args[from]!,
    coeff: args[from + 1]!,
    buckets: list(args.slice(from + 2, from + 18)),
    'nonalpha-discount': args[from + 18]!,
    'no-vowel-discount': args[from + 19]!,
  });

export const labelText = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
export const label = (text: string) => buffer(Buffer.from(text, 'latin1'));

/** The name in the arguments `namespace, name`. */
export const fqnOf = (args: readonly ClarityValue[]) =>
  `${labelText(bytesArg(args, 1))}.${labelText(bytesArg(args, 0))}`;

/** A name as a tuple of its two labels. */
export const nameTupleType: AbiType = { tuple: [...nameArgs].reverse().map(([name, type]) => ({ name, type })) };

export function nameTuple(fqn: string): ClarityValue {
  const [name = '', namespace = ''] = fqn.split('.');
  return tuple({ name: label(name), namespace: label(namespace) });
}

/** The hash of a preorder: a name or namespace with a salt, which prevents front-running. */
export const preorderHash = (text: string, salt: string) => hash160(Buffer.from(text + salt, 'latin1'));

/** The second contract separates a namespace and its salt by a dot; the first does not, and neither does so for names. */
export const namespaceHash = (version: 'v1' | 'v2', namespace: string, salt: string) =>
  preorderHash(version === 'v2' ? `${namespace}.` : namespace, salt);

const preorderKey = (contract: string, map: string, hash: Uint8Array, buyer: string) =>
  entryKey(contract, map, tuple({ buyer: principal(buyer), 'hashed-salted': buffer(hash) }));

export type Preorder = { key: string; burnt: bigint; at: number };

/** A preorder of the sender. */
export function preorderOf(
  { state, contract, sender }: CallContext,
  map: string,
  hash: Uint8Array,
): Preorder | undefined {
  const key = preorderKey(contract, map, hash, sender);
  const fields = fieldsIn(readData(state, key));
  if (!fields) return undefined;
  return {
    key,
    burnt: uintArg([fields.get('stx-burned')!], 0),
    at: Number(uintArg([fields.get('created-at')!], 0)),
  };
}

/** The outcome of an accepted preorder: the STX are burnt, and it can be used for a while. */
export function preordered(
  { contract, sender }: CallContext,
  map: string,
  hash: Uint8Array,
  amount: bigint,
  at: number,
): Outcome {
  const value = tuple({ 'created-at': uint(at), 'stx-burned': uint(amount), claimed: bool(false) });
  return {
    result: ok(uint(at + claimable)),
    events: [{ kind: 'stx_burn', sender, amount }],
    writes: [{ key: preorderKey(contract, map, hash, sender), value }],
  };
}

const stateKey = (contract: string, namespace: string) => entryKey(contract, 'namespaces', label(namespace));

export function namespaceOf({ state, contract }: Pick<CallContext, 'state' | 'contract'>, namespace: string) {
  const fields = fieldsIn(readData(state, stateKey(contract, namespace)));
  if (!fields) return undefined;
  const number = (name: string) => Number(uintArg([fields.get(name)!], 0));
  const text = (name: string) => labelText(bytesArg([fields.get(name)!], 0));
  const flag = (name: string) => {
    const value = fields.get(name);
    return value?.type === 'bool' && value.value;
  };
  const manager = text('manager');
  return {
    ...{ namespace, importer: text('importer'), revealedAt: number('revealed-at'), lifetime: number('lifetime') },
    launchedAt: number('launched-at') || undefined,
    price: fields.get('price-function')!,
    priceFixed: flag('price-fixed'),
    managerTransferable: flag('manager-transferable'),
    managerFrozen: flag('manager-frozen'),
    ...(manager !== '' && { manager }),
  } satisfies NamespaceState as NamespaceState;
}

export function namespaceWrite({ contract }: CallContext, state: NamespaceState): Write {
  const value = tuple({
    importer: label(state.importer),
    manager: label(state.manager ?? ''),
    'revealed-at': uint(state.revealedAt),
    'launched-at': uint(state.launchedAt ?? 0),
    lifetime: uint(state.lifetime),
    'price-function': state.price,
    'price-fixed': bool(state.priceFixed ?? false),
    'manager-transferable': bool(state.managerTransferable ?? false),
    'manager-frozen': bool(state.managerFrozen ?? false),
  });
  return { key: stateKey(contract, state.namespace), value };
}

/** The price of a namespace in micro-STX by length, from the table of the contract. */
export function namespaceCost(namespace: string): bigint {
  const table = [640_000n, 64_000n, 64_000n, 6_400n, 6_400n, 6_400n, 6_400n];
  return (table[namespace.length - 1] ?? 640n) * 1_000_000n;
}

const vowels = new Set('aeiouy');
const nonalpha = new Set('0123456789-_');

/**
 * The price of a name in micro-STX, computed step by step as in the contract: intentionally without the rule of the service,
 * which is tested against it. Undefined if a number exceeds a uint.
 */
export function nameCost(name: string, price: ClarityValue): bigint | undefined {
  const fields = fieldsIn(price)!;
  const number = (field: string) => uintArg([fields.get(field)!], 0);
  const buckets = fields.get('buckets') as Extract<ClarityValue, { type: 'list' }>;
  const exponent = uintArg(buckets.items, Math.min(name.length, 16) - 1);
  let cost = number('coeff');
  for (let i = 0n; i < exponent; i++) {
    cost *= number('base');
    if (cost >= 2n ** 128n) return undefined;
  }
  const letters = [...name];
  let discount = 1n;
  const offer = (other: bigint) => {
    if (other > discount) discount = other;
  };
  if (letters.some(letter => nonalpha.has(letter))) offer(number('nonalpha-discount'));
  if (!letters.some(letter => vowels.has(letter))) offer(number('no-vowel-discount'));
  return (cost / discount) * 10n;
}

/** The price as an amount to pay; a price that exceeds a uint cannot be paid. */
export const nameFee = (name: string, { price }: NamespaceState): bigint => nameCost(name, price) ?? 2n ** 128n;

export const isNamespaceText = (bytes: Uint8Array) => isNamespace(labelText(bytes));
