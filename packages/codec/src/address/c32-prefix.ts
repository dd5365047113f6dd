import { c32Alphabet } from './c32.ts';

/** Bytes of a version and a HASH160, from the first to the last, both inclusive. */
export type AddressRange = { first: Uint8Array; last: Uint8Array };

/** Number of bytes of hash and checksum, which the text of an address encodes as one number. */
const BYTES = 24;
const CHECKSUM_BITS = 32n;
const HASH_BYTES = 20;

/**
 * The addresses whose text begins so, `S` and the version before it, as ranges of bytes; wider by a hash at either end where
 * a checksum decides. The text of a number has one `0` for each leading zero byte, and then its digits without leading zeros.
 */
export function addressRanges(prefix: string): AddressRange[] {
  const version = c32Alphabet.indexOf(prefix[1] ?? '');
  const digits = prefix.slice(2);
  if (prefix[0] !== 'S' || version < 0) return [];
  const zeros = /^0*/.exec(digits)![0].length;
  const rest = digits.slice(zeros);
  const ranges: AddressRange[] = [];
  // The zeros that are written may be all of them, or the text goes on with more.
  const [least, most] = rest === '' ? [zeros, BYTES] : [zeros, zeros];
  for (let leading = least; leading <= most && leading <= BYTES; leading++) {
    const bits = BigInt((BYTES - leading) * 8);
    const lowest = leading === BYTES ? 0n : 1n << (bits - 8n);
    const highest = (1n << bits) - 1n;
    const longest = Math.ceil(Number(bits) / 5);
    for (let length = Math.max(rest.length, 1); length <= longest; length++) {
      const tail = 32n ** BigInt(length - rest.length);
      const head = [...rest].reduce((value, digit) => value * 32n + BigInt(c32Alphabet.indexOf(digit)), 0n);
      const [from, to] = rest === '' ? [lowest, highest] : [head * tail, (head + 1n) * tail - 1n];
      const first = clamp(from, lowest, highest);
      const last = clamp(to, lowest, highest);
      if (from <= highest && to >= lowest)
        ranges.push({ first: bytesOf(version, first), last: bytesOf(version, last) });
      if (rest === '') break;
    }
  }
  return ranges;
}

/** Bigint versions of Math functions. */
function clamp(value: bigint, least: bigint, most: bigint): bigint {
  if (value < least) return least;
  return value > most ? most : value;
}

function bytesOf(version: number, value: bigint): Uint8Array {
  const hash = (value >> CHECKSUM_BITS).toString(16).padStart(HASH_BYTES * 2, '0');
  return Uint8Array.from([version, ...Buffer.from(hash, 'hex')]);
}
