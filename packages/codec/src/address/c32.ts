import { latin1Range } from '../byte-text.ts';
import { CodecError } from '../error.ts';
import { addressChecksum } from './checksum.ts';

export const c32Alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < 32; i++) {
  VALUES[c32Alphabet.charCodeAt(i)] = i;
  VALUES[c32Alphabet.toLowerCase().charCodeAt(i)] = i;
}
for (const [read, as] of ['O0', 'o0', 'L1', 'l1', 'I1', 'i1'] as const) VALUES[read!.charCodeAt(0)] = Number(as);

/** Address versions (SIP-005): the character after the `S`. */
export const AddressVersion = {
  mainnetSingleSig: 22,
  mainnetMultiSig: 20,
  testnetSingleSig: 26,
  testnetMultiSig: 21,
} as const;

const DIGITS = Uint8Array.from(c32Alphabet, digit => digit.charCodeAt(0));
const ZERO = 0x30;
const S = 0x53;
/** `S`, the version, and at most 39 digits: 192 bits are 38 digits and 2 bits more. */
const scratch = new Uint8Array(41);

/** Addresses written lately, each in the place that the end of its hash names: the same few are written again and again. */
const slots = 8192;
const recentTexts: (string | undefined)[] = new Array<string | undefined>(slots).fill(undefined);
const recentBytes = new Uint8Array(slots * 21);

/** The c32check text of an address; `start` is where the 20-byte hash begins. */
export function encodeAddress(version: number, hash: Uint8Array, start = 0): string {
  if (!(version >= 0 && version < 32)) throw new CodecError(`address version ${version} is not below 32`, start);
  if (hash.length - start < 20) throw new CodecError('an address hash has 20 bytes', start);
  const slot = ((hash[start + 18]! << 8) | hash[start + 19]!) % slots;
  const text = recentTexts[slot];
  if (text !== undefined && isRecent(slot * 21, version, hash, start)) return text;
  const written = writeAddress(version, hash, start);
  recentTexts[slot] = written;
  recentBytes[slot * 21] = version;
  for (let i = 0; i < 20; i++) recentBytes[slot * 21 + 1 + i] = hash[start + i]!;
  return written;
}

function isRecent(at: number, version: number, hash: Uint8Array, start: number): boolean {
  if (recentBytes[at] !== version) return false;
  for (let i = 0; i < 20; i++) if (recentBytes[at + 1 + i] !== hash[start + i]) return false;
  return true;
}

function writeAddress(version: number, hash: Uint8Array, start: number): string {
  const checksum = addressChecksum(version, hash, start);
  // From the right, the bits of checksum and hash flow through one carry of at most 32.
  let at = 40;
  let carry = checksum;
  for (let bits = 32, next = start + 19; ; next -= 2) {
    for (; bits >= 5; bits -= 5, carry >>>= 5) scratch[at--] = DIGITS[carry & 31]!;
    if (next < start) break;
    carry |= ((hash[next - 1]! << 8) | hash[next]!) << bits;
    bits += 16;
  }
  scratch[at] = DIGITS[carry]!;
  // One `0` represents each leading zero byte, instead of those of the number.
  while (at < 41 && scratch[at] === ZERO) at++;
  let zeroBytes = 0;
  while (zeroBytes < 20 && hash[start + zeroBytes] === 0) zeroBytes++;
  if (zeroBytes === 20) zeroBytes += Math.clz32(checksum) >> 3;
  for (; zeroBytes > 0; zeroBytes--) scratch[--at] = ZERO;
  scratch[--at] = DIGITS[version]!;
  scratch[--at] = S;
  return latin1Range(scratch, at, 41);
}

/** Reads a c32check address; a wrong character, length or checksum is a `CodecError`. */
export function decodeAddress(text: string): { version: number; hash: Uint8Array } {
  const bytes = new Uint8Array(24);
  const version = decodeInto(text, text.length, bytes);
  return { version, hash: bytes.subarray(0, 20) };
}

/** Whether the text is a valid c32check address. */
export function isAddress(text: string): boolean {
  try {
    decodeAddress(text);
    return true;
  } catch (error) {
    if (error instanceof CodecError) return false;
    throw error;
  }
}

function decodeInto(text: string, length: number, out: Uint8Array): number {
  if (length < 7 || length > 41) throw new CodecError('an address has 7 to 41 characters', 0);
  if (text.charCodeAt(0) !== S && text.charCodeAt(0) !== 0x73) throw new CodecError('an address starts with S', 0);
  const version = value(text, 1);
  let carry = 0;
  let bits = 0;
  let at = 23;
  for (let i = length - 1; i >= 2; i--) {
    carry |= value(text, i) << bits;
    bits += 5;
    if (bits >= 8 && at >= 0) {
      out[at--] = carry & 0xff;
      carry >>>= 8;
      bits -= 8;
    }
  }
  if (at >= 0) out[at] = carry;
  else if (carry !== 0) throw new CodecError('an address holds 24 bytes', 2);
  checkZeros(text, out);
  const checksum = ((out[20]! << 24) | (out[21]! << 16) | (out[22]! << 8) | out[23]!) >>> 0;
  if (addressChecksum(version, out) !== checksum) throw new CodecError('wrong address checksum', length - 7);
  return version;
}

function value(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const found = code < 128 ? VALUES[code]! : -1;
  if (found < 0) throw new CodecError('not a c32 digit', at);
  return found;
}

/** One `0` represents each leading zero byte, no more and no fewer: an address has exactly one text. */
function checkZeros(text: string, bytes: Uint8Array): void {
  let zeroBytes = 0;
  while (zeroBytes < 24 && bytes[zeroBytes] === 0) zeroBytes++;
  let zeros = 0;
  while (zeros < text.length - 2 && VALUES[text.charCodeAt(2 + zeros)] === 0) zeros++;
  if (zeros !== zeroBytes) throw new CodecError('wrong number of leading zeros in an address', 2);
}
