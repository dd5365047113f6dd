import { labelOf } from '@cairn-stacks/codec/bns-name';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { boolOf, bytesOf, type Fields, fieldsOf, itemsOf, principalOf, textOf, uintOf } from '../print-fields.ts';
import type { PriceFunction } from './price.ts';

/** How a change of a namespace is written in the tables. Never renumber. */
export const namespaceChanges = {
  ready: 1,
  launch: 2,
  'transfer-manager': 3,
  'freeze-manager': 4,
  'turn-off-manager-transfers': 5,
  'update-price-manager': 6,
  'freeze-price-manager': 7,
  'price-function': 8,
  genesis: 9,
} as const;
export type NamespaceChange = keyof typeof namespaceChanges;

const changesByCode = new Map(Object.entries(namespaceChanges).map(([change, code]) => [code as number, change]));

export const namespaceChange = (code: number): string => changesByCode.get(code) ?? 'unknown';

/** A namespace as stored by its contract. Heights are block heights in version 1, burn heights in version 2. */
export type Namespace = {
  namespace: string;
  importer?: string;
  manager?: string;
  managerTransfers: boolean;
  managerFrozen: boolean;
  priceUpdatable: boolean;
  revealedAt: bigint;
  launchedAt?: bigint;
  /** Blocks that a name lasts; 0 for ever. */
  lifetime: bigint;
  price: PriceFunction;
};

export type NamespacePrint = { change: NamespaceChange; properties: Namespace };

/** Reads `{namespace, status, properties}` of either version; undefined for any other print. */
export function readNamespacePrint(fields: Fields): NamespacePrint | undefined {
  const change = textOf(fields.get('status'));
  const namespace = labelOf(bytesOf(fields.get('namespace')));
  const properties = fieldsOf(fields.get('properties'));
  if (namespace === undefined || !isChange(change) || properties.size === 0) return undefined;
  const importer = principalOf(properties.get('namespace-import'));
  const manager = principalOf(properties.get('namespace-manager'));
  const launchedAt = uintOf(properties.get('launched-at'));
  return {
    change,
    properties: {
      namespace,
      ...(importer !== undefined && { importer }),
      ...(manager !== undefined && { manager }),
      ...(launchedAt !== undefined && { launchedAt }),
      managerTransfers: boolOf(properties.get('manager-transferable')) ?? false,
      managerFrozen: boolOf(properties.get('manager-frozen')) ?? false,
      priceUpdatable: boolOf(properties.get('can-update-price-function')) ?? false,
      revealedAt: uintOf(properties.get('revealed-at')) ?? 0n,
      lifetime: uintOf(properties.get('lifetime')) ?? 0n,
      price: priceOf(properties.get('price-function')),
    },
  };
}

const isChange = (text: string | undefined): text is NamespaceChange =>
  text !== undefined && text !== 'genesis' && text !== 'price-function' && Object.hasOwn(namespaceChanges, text);

function priceOf(value: ClarityValue | undefined): PriceFunction {
  const fields = fieldsOf(value);
  return {
    base: uintOf(fields.get('base')) ?? 0n,
    coefficient: uintOf(fields.get('coeff')) ?? 0n,
    nonalphaDiscount: uintOf(fields.get('nonalpha-discount')) ?? 0n,
    noVowelDiscount: uintOf(fields.get('no-vowel-discount')) ?? 0n,
    buckets: itemsOf(fields.get('buckets')).map(item => uintOf(item) ?? 0n),
  };
}

/** Arguments of `namespace-update-function-price` of version 1, which prints nothing. */
export function readPriceCall(args: readonly ClarityValue[]): { namespace: string; price: PriceFunction } | undefined {
  const namespace = labelOf(bytesOf(args[0]));
  const numbers = args.slice(1).map(uintOf);
  if (namespace === undefined || numbers.length !== 20 || numbers.includes(undefined)) return undefined;
  const [base, coefficient, ...rest] = numbers as bigint[];
  return {
    namespace,
    price: {
      base: base!,
      coefficient: coefficient!,
      buckets: rest.slice(0, 16),
      nonalphaDiscount: rest[16]!,
      noVowelDiscount: rest[17]!,
    },
  };
}
