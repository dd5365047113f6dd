import { CodecError } from './error.ts';

/** Appends big-endian values to a growing byte array; a number that does not fit its field is an error. */
export class Writer {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  u8(value: number): this {
    this.#check(value, 0xff);
    const start = this.#grow(1);
    this.#bytes[start] = value;
    return this;
  }

  u16(value: number): this {
    this.#check(value, 0xffff);
    const start = this.#grow(2);
    this.#bytes[start] = value >>> 8;
    this.#bytes[start + 1] = value;
    return this;
  }

  u32(value: number): this {
    this.#check(value, 0xffff_ffff);
    this.#put32(this.#grow(4), value);
    return this;
  }

  u64(value: bigint): this {
    this.#checkBig(value, 0n, (1n << 64n) - 1n);
    this.#put64(this.#grow(8), value);
    return this;
  }

  u128(value: bigint): this {
    this.#checkBig(value, 0n, (1n << 128n) - 1n);
    return this.#put128(value);
  }

  i128(value: bigint): this {
    this.#checkBig(value, -(1n << 127n), (1n << 127n) - 1n);
    return this.#put128(BigInt.asUintN(128, value));
  }

  raw(bytes: Uint8Array): this {
    const start = this.#grow(bytes.length);
    this.#bytes.set(bytes, start);
    return this;
  }

  /** Bytes of a field whose size the format fixes. */
  fixed(bytes: Uint8Array, length: number): this {
    if (bytes.length !== length) throw new CodecError(`${length} bytes expected, ${bytes.length} given`, this.#length);
    return this.raw(bytes);
  }

  /** Text of one byte per character, without a length. */
  latin1(text: string): this {
    const start = this.#grow(text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0xff) throw new CodecError(`character U+${code.toString(16)} does not fit one byte`, start + i);
      this.#bytes[start + i] = code;
    }
    return this;
  }

  /** All that was written, in an array of its own. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #check(value: number, max: number): void {
    if (!(Number.isInteger(value) && value >= 0 && value <= max)) {
      throw new CodecError(`${value} does not fit its field`, this.#length);
    }
  }

  #checkBig(value: bigint, min: bigint, max: bigint): void {
    if (value < min || value > max) throw new CodecError(`${value} does not fit its field`, this.#length);
  }

  #grow(by: number): number {
    const start = this.#length;
    const length = start + by;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, start));
      this.#bytes = grown;
    }
    this.#length = length;
    return start;
  }

  #put32(start: number, value: number): void {
    this.#bytes[start] = value >>> 24;
    this.#bytes[start + 1] = value >>> 16;
    this.#bytes[start + 2] = value >>> 8;
    this.#bytes[start + 3] = value;
  }

  #put64(start: number, value: bigint): void {
    this.#put32(start, Number(value >> 32n));
    this.#put32(start + 4, Number(value & 0xffff_ffffn));
  }

  #put128(value: bigint): this {
    const start = this.#grow(16);
    this.#put64(start, value >> 64n);
    this.#put64(start + 8, value & 0xffff_ffff_ffff_ffffn);
    return this;
  }
}
