import { sha256 } from '@noble/hashes/sha2.js';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHECKSUM_BYTES = 4;

/** An address of its version and 20 bytes (c32check). */
export function encodeAddress(version: number, hash: Uint8Array): string {
  const checksum = sha256(sha256(Uint8Array.of(version, ...hash))).subarray(0, CHECKSUM_BYTES);
  return `S${alphabet[version]}${encode(Uint8Array.of(...hash, ...checksum))}`;
}

/** The version and the 20 bytes of an address; undefined if its checksum is wrong. */
export function decodeAddress(address: string): { version: number; hash: Uint8Array } | undefined {
  if (!/^S[0-9A-HJKMNP-TV-Z]{20,50}$/.test(address)) return undefined;
  const version = alphabet.indexOf(address[1]!);
  const bytes = decode(address.slice(2));
  if (bytes === undefined) return undefined;
  const hash = bytes.subarray(0, bytes.length - CHECKSUM_BYTES);
  return encodeAddress(version, hash) === address ? { version, hash } : undefined;
}

function encode(bytes: Uint8Array): string {
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; number > 0n; number /= 32n) text = alphabet[Number(number % 32n)] + text;
  const zeros = bytes.findIndex(byte => byte !== 0);
  return '0'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** 24 bytes: the hash and its checksum. */
function decode(text: string): Uint8Array | undefined {
  const number = [...text].reduce((sum, letter) => sum * 32n + BigInt(alphabet.indexOf(letter)), 0n);
  if (number >= 1n << 192n) return undefined;
  const hex = number.toString(16).padStart(48, '0');
  return Uint8Array.from({ length: 24 }, (_, i) => Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16));
}
