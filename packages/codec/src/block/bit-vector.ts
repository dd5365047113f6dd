import { CodecError } from '../error.ts';
import { Reader } from '../reader.ts';
import type { Writer } from '../writer.ts';

/** Bits of a Nakamoto header: bit `i` is bit `i % 8`, counted from the lowest, of byte `i / 8` (SIP-021). */
export type BitVector = { length: number; bytes: Uint8Array };

/** Decodes exactly one bit vector. */
export function decodeBitVector(bytes: Uint8Array): BitVector {
  const reader = new Reader(bytes);
  const bits = readBitVector(reader);
  reader.end();
  return bits;
}

/** Reads the number of bits, the number of bytes, and the bytes. */
export function readBitVector(reader: Reader): BitVector {
  const length = reader.u16();
  const at = reader.offset;
  const size = reader.count(1);
  if (size !== Math.ceil(length / 8)) throw new CodecError(`${length} bits in ${size} bytes`, at);
  return { length, bytes: reader.take(size) };
}

/** Writes a bit vector. */
export function writeBitVector(writer: Writer, { length, bytes }: BitVector): void {
  writer
    .u16(length)
    .u32(bytes.length)
    .fixed(bytes, Math.ceil(length / 8));
}

/** Bit `index` of a vector; false beyond its end. */
export function bitAt({ length, bytes }: BitVector, index: number): boolean {
  return index >= 0 && index < length && ((bytes[index >> 3]! >> (index & 7)) & 1) === 1;
}

/** The bits as text of `0` and `1`, first bit first. */
export function formatBits(bits: BitVector): string {
  let text = '';
  for (let i = 0; i < bits.length; i++) text += bitAt(bits, i) ? '1' : '0';
  return text;
}
