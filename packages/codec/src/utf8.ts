import { latin1Range } from './byte-text.ts';
import { CodecError } from './error.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Text of `bytes[start..end)`; invalid UTF-8 is an error at its byte. The caller has checked the bounds. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  let ascii = true;
  for (let i = start; ascii && i < end; i++) ascii = bytes[i]! < 0x80;
  if (ascii) return latin1Range(bytes, start, end);
  checkUtf8(bytes, start, end);
  return decoder.decode(bytes.subarray(start, end));
}

/** UTF-8 of a text; a lone surrogate is an error. */
export function encodeUtf8(text: string): Uint8Array {
  const lone = text.search(LONE_SURROGATE);
  if (lone >= 0) throw new CodecError('a lone surrogate', lone);
  return encoder.encode(text);
}

/** Fails at the first byte that is not UTF-8 and returns the number of characters. */
export function checkUtf8(bytes: Uint8Array, start: number, end: number): number {
  let characters = 0;
  for (let i = start; i < end; characters++) i += utf8Length(bytes, i, end);
  return characters;
}

/** How many bytes the character at `at` takes: 1 to 4 (RFC 3629, table 3-7 of Unicode). */
export function utf8Length(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0) throw new CodecError('not UTF-8', at);
  if (at + length > end) throw new CodecError('a UTF-8 character is cut short', at);
  const second = bytes[at + 1]!;
  // No overlong forms, no surrogates, nothing above U+10FFFF.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  let ok = second >= low && second <= high;
  for (let i = 2; i < length; i++) ok &&= (bytes[at + i]! & 0xc0) === 0x80;
  if (!ok) throw new CodecError('not UTF-8', at);
  return length;
}
