import { CodecError } from '../error.ts';
import type { Reader } from '../reader.ts';

/** The first byte of a serialized Clarity value (SIP-005). */
export const Prefix = {
  int: 0x00,
  uint: 0x01,
  buffer: 0x02,
  true: 0x03,
  false: 0x04,
  standardPrincipal: 0x05,
  contractPrincipal: 0x06,
  ok: 0x07,
  err: 0x08,
  none: 0x09,
  some: 0x0a,
  list: 0x0b,
  tuple: 0x0c,
  stringAscii: 0x0d,
  stringUtf8: 0x0e,
} as const;

/** Maximum nesting depth of values, including the innermost (SIP-002). */
export const MAX_DEPTH = 32;

/** A tuple entry is at least a length byte, a letter and a prefix. */
export const MIN_ENTRY_SIZE = 3;

/** The depth one level further in, or an error beyond the protocol's limit. */
export function enter(reader: Reader, depth: number): number {
  if (depth >= MAX_DEPTH) throw new CodecError(`values nested deeper than ${MAX_DEPTH}`, reader.offset);
  return depth + 1;
}
