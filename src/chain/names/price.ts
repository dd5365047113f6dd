/** How a namespace prices its names. */
export type PriceFunction = {
  base: bigint;
  coefficient: bigint;
  nonalphaDiscount: bigint;
  noVowelDiscount: bigint;
  /** Sixteen exponents, by the length of the name. */
  buckets: readonly bigint[];
};

const stx = 1_000_000n;
const maxUint = (1n << 128n) - 1n;

/** Micro-STX that a namespace of this many bytes costs; undefined for a blank one. */
export function namespacePrice(length: number): bigint | undefined {
  if (length < 1) return undefined;
  if (length === 1) return 640_000n * stx;
  if (length <= 3) return 64_000n * stx;
  return (length <= 7 ? 6_400n : 640n) * stx;
}

/** Micro-STX that a name costs; undefined where the contract would fail: a blank name, a number beyond 128 bits. */
export function namePrice(name: string, price: PriceFunction): bigint | undefined {
  const exponent = price.buckets[Math.min(name.length, 16) - 1];
  if (exponent === undefined) return undefined;
  const power = powerOf(price.base, exponent);
  if (power === undefined) return undefined;
  let discount = /[0-9_-]/.test(name) ? price.nonalphaDiscount : 1n;
  const noVowel = /[aeiouy]/.test(name) ? 1n : price.noVowelDiscount;
  if (noVowel > discount) discount = noVowel;
  const full = price.coefficient * power;
  if (discount === 0n || full > maxUint) return undefined;
  const amount = (full / discount) * 10n;
  return amount > maxUint ? undefined : amount;
}

/** A power within 128 bits; an exponent from outside must not cost more than it can be worth. */
function powerOf(base: bigint, exponent: bigint): bigint | undefined {
  if (base <= 1n) return exponent === 0n ? 1n : base;
  if (exponent > 128n) return undefined;
  const power = base ** exponent;
  return power > maxUint ? undefined : power;
}
