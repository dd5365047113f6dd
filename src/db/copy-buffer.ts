import type { ColumnType, Row, Table, Value } from './table.ts';

// PostgreSQL documentation, COPY, "Binary Format": signature, flags, header extension length.
const header = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex');
const trailer = Buffer.from('ffff', 'hex');
const postgresEpochMs = Date.UTC(2000, 0, 1);
const int4Oid = 23;
const int8Oid = 20;

/** Maximum size of a value of fixed length: its length, and eight bytes. */
const maxFixed = 12;
/** Digits of the current amount, the least first: 39 decimal digits are ten of them. */
const digits: number[] = [];

/** Rows beyond this go into another part: one buffer for all of them would be copied as it grows. */
const partBytes = 4 << 20;

/** Encodes rows of one table in the binary COPY format. */
export class CopyBuffer {
  readonly table: Table;
  readonly #types: ColumnType[];
  /** Size of a row whose values all have a fixed length; a variable-length value reserves it again for the values after it. */
  readonly #rowSize: number;
  /** Parts that are full. */
  readonly #parts: Buffer[] = [];
  #partBytes = 0;
  #bytes = Buffer.allocUnsafeSlow(16_384);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  #rows = 0;

  constructor(table: Table) {
    this.table = table;
    this.#types = Object.values(table.columns);
    this.#rowSize = 2 + this.#types.length * maxFixed;
    this.#at = header.copy(this.#bytes);
  }

  get rows(): number {
    return this.#rows;
  }

  get bytes(): number {
    return this.#partBytes + this.#at;
  }

  add(row: Row): void {
    const types = this.#types;
    if (row.length !== types.length) {
      throw new Error(`${this.table.name} has ${types.length} columns, a row came with ${row.length}`);
    }
    if (this.#at >= partBytes) this.#beginPart();
    this.#reserve(this.#rowSize);
    this.#int2(types.length);
    for (let i = 0; i < types.length; i++) this.#value(types[i]!, row[i]!, i);
    this.#rows++;
  }

  /** The statement and its data, in parts. */
  finish(): { text: string; data: Buffer[] } {
    this.#reserve(2);
    this.#at += trailer.copy(this.#bytes, this.#at);
    const columns = Object.keys(this.table.columns).join(', ');
    return {
      text: `copy ${this.table.name} (${columns}) from stdin (format binary)`,
      data: [...this.#parts, this.#bytes.subarray(0, this.#at)],
    };
  }

  #beginPart(): void {
    this.#parts.push(this.#bytes.subarray(0, this.#at));
    this.#partBytes += this.#at;
    this.#bytes = Buffer.allocUnsafeSlow(partBytes + (partBytes >> 4));
    this.#view = new DataView(this.#bytes.buffer);
    this.#at = 0;
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + size));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  /** Writes a value; `add` has reserved space for one of fixed length. */
  #value(type: ColumnType, value: Value, column: number): void {
    if (value === null) {
      this.#int4(-1);
      return;
    }
    switch (type) {
      case 'int4':
      case 'principal':
      case 'asset':
      case 'function':
        this.#int4(4);
        this.#int4(this.#integer(value, 0x7fff_ffff, column));
        return;
      case 'int2':
        this.#int4(2);
        this.#int2(this.#integer(value, 0x7fff, column));
        return;
      case 'numeric':
        this.#numeric(value as bigint);
        return;
      case 'bytea':
        this.#blob(value as Uint8Array);
        return;
      case 'int8':
        this.#int4(8);
        this.#int8(this.#long(value, column));
        return;
      case 'text':
        this.#text(value as string);
        return;
      case 'bool':
        this.#int4(1);
        this.#bytes[this.#at++] = value ? 1 : 0;
        return;
      case 'timestamptz':
        this.#int4(8);
        this.#int8(BigInt((value as number) - postgresEpochMs) * 1000n);
        return;
      case 'int4[]':
        this.#array(value as number[], int4Oid, 4, column);
        return;
      case 'int8[]':
        this.#array(value as bigint[], int8Oid, 8, column);
    }
  }

  #int2(value: number): void {
    this.#view.setInt16(this.#at, value);
    this.#at += 2;
  }

  #int4(value: number): void {
    this.#view.setInt32(this.#at, value);
    this.#at += 4;
  }

  #int8(value: bigint): void {
    this.#view.setBigInt64(this.#at, value);
    this.#at += 8;
  }

  #integer(value: Value, most: number, column: number): number {
    const number = typeof value === 'bigint' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number) || number > most || number < -most - 1) {
      throw new Error(`${this.#columnName(column)} needs an integer from ${-most - 1} to ${most}, got ${value}`);
    }
    return number;
  }

  #long(value: Value, column: number): bigint {
    const long = BigInt(value as number | bigint);
    if (BigInt.asIntN(64, long) !== long) throw new Error(`${this.#columnName(column)} needs 64 bits, got ${value}`);
    return long;
  }

  #columnName(column: number): string {
    return `${this.table.name}.${Object.keys(this.table.columns)[column]}`;
  }

  #blob(bytes: Uint8Array): void {
    this.#reserve(4 + bytes.length + this.#rowSize);
    this.#int4(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #text(text: string): void {
    if (text === '') {
      this.#int4(0);
      return;
    }
    // PostgreSQL text cannot hold U+0000.
    this.#blob(Buffer.from(text.replaceAll('\0', ''), 'utf8'));
  }

  #array(values: readonly (number | bigint)[], oid: number, width: 4 | 8, column: number): void {
    this.#reserve(24 + values.length * (4 + width) + this.#rowSize);
    const empty = values.length === 0;
    this.#int4(empty ? 12 : 20 + values.length * (4 + width));
    this.#int4(empty ? 0 : 1);
    this.#int4(0);
    this.#int4(oid);
    if (empty) return;
    this.#int4(values.length);
    this.#int4(1);
    for (const value of values) {
      this.#int4(width);
      if (width === 4) this.#int4(this.#integer(value, 0x7fff_ffff, column));
      else this.#int8(this.#long(value, column));
    }
  }

  /** Base-10000 digits, most significant first, without trailing zero digits. */
  #numeric(value: bigint): void {
    const negative = value < 0n;
    let length = 0;
    let rest = negative ? -value : value;
    while (rest > 0xffff_ffff_ffffn) {
      digits[length++] = Number(rest % 10_000n);
      rest /= 10_000n;
    }
    for (let small = Number(rest); small > 0; small = Math.floor(small / 10_000)) digits[length++] = small % 10_000;
    let skip = 0;
    while (skip < length && digits[skip] === 0) skip++;
    const count = length - skip;
    this.#reserve(12 + count * 2 + this.#rowSize);
    this.#int4(8 + count * 2);
    this.#int2(count);
    this.#int2(count === 0 ? 0 : length - 1);
    this.#int2(negative ? 0x4000 : 0);
    this.#int2(0);
    for (let i = length - 1; i >= skip; i--) this.#int2(digits[i]!);
  }
}
