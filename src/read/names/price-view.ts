import { bnsContract } from '@cairn-stacks/codec/bns-name';
import { buffer } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { namePrice, namespacePrice } from '../../chain/names/price.ts';
import type { Sql } from '../../db/client.ts';
import type { CallReadOnly } from '../../node/read-only-call.ts';
import { findNamespace, type NamespaceRow } from './namespaces-queries.ts';

type PriceSources = { sql: Sql; mainnet: boolean; callReadOnly?: CallReadOnly | undefined };

const ascii = /^[\x20-\x7e]+$/;

/** Micro-STX that a namespace costs, reported by the contract or computed by its rule; undefined when it can never exist. */
export async function findNamespacePrice(
  namespace: string,
  { mainnet, callReadOnly }: PriceSources,
): Promise<bigint | undefined> {
  if (namespace.length > 20 || !ascii.test(namespace)) return undefined;
  const result = await callReadOnly?.(bnsContract('v1', mainnet), 'get-namespace-price', [bufferOf(namespace)]);
  if (result) return 'value' in result ? amountOf(result.value) : undefined;
  return namespacePrice(namespace.length);
}

/** Micro-STX that a name costs; undefined where there is no such namespace or no such price. */
export async function findNamePrice(
  name: string,
  namespace: string,
  { sql, mainnet, callReadOnly }: PriceSources,
): Promise<bigint | undefined> {
  if (name.length > 48 || namespace.length > 20 || !ascii.test(name) || !ascii.test(namespace)) return undefined;
  const args = [bufferOf(namespace), bufferOf(name)];
  const result = await callReadOnly?.(bnsContract('v1', mainnet), 'get-name-price', args);
  if (result) return 'value' in result ? amountOf(result.value) : undefined;
  const row = (await findNamespace(sql, namespace, 'tip', 1)) ?? (await findNamespace(sql, namespace, 'tip'));
  return row && computedPrice(name, row);
}

/** The price of a name by the price function of its namespace. */
export const computedPrice = (name: string, row: NamespaceRow): bigint | undefined =>
  namePrice(name, {
    base: BigInt(row.base),
    coefficient: BigInt(row.coefficient),
    nonalphaDiscount: BigInt(row.nonalpha_discount),
    noVowelDiscount: BigInt(row.no_vowel_discount),
    buckets: row.buckets,
  });

const bufferOf = (text: string) => buffer(Buffer.from(text, 'latin1'));

/** The number in `(ok uint)`; version 2 wraps it twice. */
function amountOf(value: ClarityValue): bigint | undefined {
  if (value.type === 'ok') return amountOf(value.value);
  return value.type === 'uint' ? value.value : undefined;
}
