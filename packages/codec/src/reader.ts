import { CodecError, UnknownCodeError } from './error.ts';

/** A code without a known meaning, as it is shown. */
export type UnknownName = `unknown_${number}`;

/**
 * A cursor over bytes that checks every length before it reads.
 * Integers are big-endian (SIP-005). Slices are views: they share memory with the input.
 */
export class Reader {
  readonly bytes: Uint8Array;
  /** The next byte to read. */
  offset = 0;
  /** Unknown codes that were skipped; if undefined, an unknown code is an error. */
  tolerated: { what: string; code: number }[] | undefined;

  constructor(bytes: Uint8Array) {
    // A plain view: slicing a Buffer costs about twice as much and would leak its methods to callers.
    this.bytes =
      bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The name of an unknown code that does not change the layout; throws unless unknown codes are tolerated. */
  unknownCode(what: string, code: number): UnknownName {
    if (!this.tolerated) throw new UnknownCodeError(what, code, this.offset - 1);
    this.tolerated.push({ what, code });
    return `unknown_${code}`;
  }

  /** Moves past `length` bytes and returns where they start. */
  skip(length: number): number {
    const start = this.offset;
    if (length > this.bytes.length - start) {
      throw new CodecError(`${length} bytes expected, ${this.bytes.length - start} left`, start);
    }
    this.offset = start + length;
    return start;
  }

  u8(): number {
    const start = this.skip(1);
    return this.bytes[start]!;
  }

  u16(): number {
    const start = this.skip(2);
    return (this.bytes[start]! << 8) | this.bytes[start + 1]!;
  }

  u32(): number {
    return readU32(this.bytes, this.skip(4));
  }

  u64(): bigint {
    const start = this.skip(8);
    return joinU64(readU32(this.bytes, start), readU32(this.bytes, start + 4));
  }

  u128(): bigint {
    return readU128(this.bytes, this.skip(16));
  }

  i128(): bigint {
    const start = this.skip(16);
    const value = readU128(this.bytes, start);
    return this.bytes[start]! & 0x80 ? value - TWO_128 : value;
  }

  /** The next `length` bytes, as a view. */
  take(length: number): Uint8Array {
    const start = this.skip(length);
    return this.bytes.subarray(start, start + length);
  }

  /** A count of things of at least `size` bytes each: more than can follow is an error. */
  count(size: number): number {
    const start = this.offset;
    const count = this.u32();
    const left = this.bytes.length - this.offset;
    if (count * size > left) throw new CodecError(`${count} items announced, ${left} bytes left`, start);
    return count;
  }

  /** Fails unless all bytes were read. */
  end(): void {
    const left = this.bytes.length - this.offset;
    if (left !== 0) throw new CodecError(`${left} bytes left over`, this.offset);
  }
}

const TWO_128 = 1n << 128n;

/** Reads an unsigned 32-bit integer; the caller has checked the bounds. */
export function readU32(bytes: Uint8Array, start: number): number {
  return ((bytes[start]! << 24) | (bytes[start + 1]! << 16) | (bytes[start + 2]! << 8) | bytes[start + 3]!) >>> 0;
}

/** Reads an unsigned 128-bit integer; the caller has checked the bounds. */
export function readU128(bytes: Uint8Array, start: number): bigint {
  const high = joinU64(readU32(bytes, start), readU32(bytes, start + 4));
  const low = joinU64(readU32(bytes, start + 8), readU32(bytes, start + 12));
  return high === 0n ? low : (high << 64n) | low;
}

/** Most amounts fit a double exactly, and one conversion is far cheaper than a shift of bigints. */
function joinU64(high: number, low: number): bigint {
  return high < 0x20_0000 ? BigInt(high * 0x1_0000_0000 + low) : (BigInt(high) << 32n) | BigInt(low);
}
