import { CodecError } from '../error.ts';

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** A witness program: its version and its bytes. */
export type WitnessProgram = { prefix: string; version: number; program: Uint8Array };

/** The segwit address of a witness program: bech32 for version 0 (BIP-173), bech32m above (BIP-350). */
export function encodeSegwit({ prefix, version, program }: WitnessProgram): string {
  const words = [version, ...regroup([...program], 8, 5)];
  const check = polymod([...expand(prefix), ...words, 0, 0, 0, 0, 0, 0]) ^ constant(version);
  for (let i = 0; i < 6; i++) words.push((check >>> (5 * (5 - i))) & 31);
  return `${prefix}1${words.map(word => ALPHABET[word]).join('')}`;
}

/** Reads a segwit address. */
export function decodeSegwit(text: string): WitnessProgram {
  if (text.length > 90) throw new CodecError('a segwit address has at most 90 characters', 90);
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) throw new CodecError('mixed case in a segwit address', 0);
  const separator = lower.lastIndexOf('1');
  if (separator < 1 || lower.length - separator < 8) throw new CodecError('not a segwit address', 0);
  const prefix = lower.slice(0, separator);
  const words: number[] = [];
  for (let i = separator + 1; i < lower.length; i++) {
    const word = ALPHABET.indexOf(lower[i]!);
    if (word < 0) throw new CodecError('not a bech32 digit', i);
    words.push(word);
  }
  const version = words[0]!;
  if (polymod([...expand(prefix), ...words]) !== constant(version)) {
    throw new CodecError('wrong bech32 checksum', lower.length - 6);
  }
  const program = Uint8Array.from(regroup(words.slice(1, -6), 5, 8));
  return { prefix, version, program };
}

function constant(version: number): number {
  return version === 0 ? 1 : 0x2bc830a3;
}

function expand(prefix: string): number[] {
  const codes = Array.from(prefix, char => char.charCodeAt(0));
  return [...codes.map(code => code >> 5), 0, ...codes.map(code => code & 31)];
}

function polymod(words: number[]): number {
  let check = 1;
  for (const word of words) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ word;
    for (let i = 0; i < 5; i++) if ((top >>> i) & 1) check ^= GENERATOR[i]!;
  }
  return check >>> 0;
}

/** Turns groups of `from` bits into groups of `to`; only widening pads, and padding must be zero. */
function regroup(groups: number[], from: number, to: number): number[] {
  const out: number[] = [];
  let carry = 0;
  let bits = 0;
  for (const group of groups) {
    carry = ((carry << from) | group) & 0xfff;
    bits += from;
    while (bits >= to) {
      bits -= to;
      out.push((carry >>> bits) & ((1 << to) - 1));
    }
  }
  const rest = carry & ((1 << bits) - 1);
  if (from > to && bits > 0) out.push((rest << (to - bits)) & ((1 << to) - 1));
  if (from < to && (bits >= from || rest !== 0)) throw new CodecError('wrong padding of a segwit address', 0);
  return out;
}
