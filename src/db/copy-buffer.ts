import type { ColumnType, Row, Table, Value } from './table.ts';

// PostgreSQL documentation, COPY, "Binary Format": signature, flags, header extension length.
const header = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex');
const trailer = Buffer.from('ffff', 'hex');
const postgresEpochMs = Date.UTC(2000, 0, 1);
const int4Oid = 23;
const int8Oid = 20;

/** Rows of one table, encoded as they come in the binary COPY format. */
export class CopyBuffer {
  readonly table: Table;
  readonly #types: ColumnType[];
  #bytes = Buffer.allocUnsafe(16_384);
  #at = 0;
  #rows = 0;

  constructor(table: Table) {
    this.table = table;
    this.#types = Object.values(table.columns);
    this.#at = header.copy(this.#bytes);
  }

  get rows(): number {
    return this.#rows;
  }

  get bytes(): number {
    return this.#at;
  }

  add(row: Row): void {
    const types = this.#types;
    if (row.length !== types.length) {
      throw new Error(`${this.table.name} has ${types.length} columns, a row came with ${row.length}`);
    }
    this.#room(2);
    this.#at = this.#bytes.writeInt16BE(types.length, this.#at);
    for (let i = 0; i < types.length; i++) this.#value(types[i]!, row[i]!, i);
    this.#rows++;
  }

  /** The statement and its data, ready to be sent. */
  finish(): { text: string; chunks: Buffer[] } {
    this.#room(2);
    this.#at += trailer.copy(this.#bytes, this.#at);
    const columns = Object.keys(this.table.columns).join(', ');
    return {
      text: `copy ${this.table.name} (${columns}) from stdin (format binary)`,
      chunks: [this.#bytes.subarray(0, this.#at)],
    };
  }

  #room(size: number): void {
    if (this.#at + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + size));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }

  #value(type: ColumnType, value: Value, column: number): void {
    if (value === null) {
      this.#room(4);
      this.#at = this.#bytes.writeInt32BE(-1, this.#at);
      return;
    }
    switch (type) {
      case 'bool':
        this.#room(5);
        this.#at = this.#bytes.writeInt32BE(1, this.#at);
        this.#at = this.#bytes.writeUInt8(value ? 1 : 0, this.#at);
        return;
      case 'int2':
        this.#room(6);
        this.#at = this.#bytes.writeInt32BE(2, this.#at);
        this.#at = this.#bytes.writeInt16BE(this.#integer(value, column), this.#at);
        return;
      case 'int4':
      case 'principal':
      case 'asset':
      case 'function':
        this.#room(8);
        this.#at = this.#bytes.writeInt32BE(4, this.#at);
        this.#at = this.#bytes.writeInt32BE(this.#integer(value, column), this.#at);
        return;
      case 'int8':
        this.#room(12);
        this.#at = this.#bytes.writeInt32BE(8, this.#at);
        this.#at = this.#bytes.writeBigInt64BE(BigInt(value as number | bigint), this.#at);
        return;
      case 'timestamptz':
        this.#room(12);
        this.#at = this.#bytes.writeInt32BE(8, this.#at);
        this.#at = this.#bytes.writeBigInt64BE(BigInt((value as number) - postgresEpochMs) * 1000n, this.#at);
        return;
      case 'numeric':
        this.#numeric(value as bigint);
        return;
      case 'text':
        // PostgreSQL text cannot hold U+0000.
        this.#blob(Buffer.from((value as string).replaceAll('\0', ''), 'utf8'));
        return;
      case 'bytea':
        this.#blob(value as Uint8Array);
        return;
      case 'int4[]':
        this.#array(value as number[], int4Oid, 4);
        return;
      case 'int8[]':
        this.#array(value as bigint[], int8Oid, 8);
    }
  }

  #integer(value: Value, column: number): number {
    const number = typeof value === 'bigint' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number)) {
      throw new Error(`${this.table.name}.${Object.keys(this.table.columns)[column]} needs an integer, got ${value}`);
    }
    return number;
  }

  #blob(bytes: Uint8Array): void {
    this.#room(4 + bytes.length);
    this.#at = this.#bytes.writeInt32BE(bytes.length, this.#at);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #array(values: readonly (number | bigint)[], oid: number, width: 4 | 8): void {
    this.#room(24 + values.length * (4 + width));
    const empty = values.length === 0;
    this.#at = this.#bytes.writeInt32BE(empty ? 12 : 20 + values.length * (4 + width), this.#at);
    this.#at = this.#bytes.writeInt32BE(empty ? 0 : 1, this.#at);
    this.#at = this.#bytes.writeInt32BE(0, this.#at);
    this.#at = this.#bytes.writeInt32BE(oid, this.#at);
    if (empty) return;
    this.#at = this.#bytes.writeInt32BE(values.length, this.#at);
    this.#at = this.#bytes.writeInt32BE(1, this.#at);
    for (const value of values) {
      this.#at = this.#bytes.writeInt32BE(width, this.#at);
      this.#at =
        width === 4
          ? this.#bytes.writeInt32BE(Number(value), this.#at)
          : this.#bytes.writeBigInt64BE(BigInt(value), this.#at);
    }
  }

  /** Base-10000 digits, most significant first, trailing zero digits left out. */
  #numeric(value: bigint): void {
    const negative = value < 0n;
    const digits: number[] = [];
    let rest = negative ? -value : value;
    while (rest > 0xffff_ffff_ffffn) {
      digits.push(Number(rest % 10_000n));
      rest /= 10_000n;
    }
    for (let small = Number(rest); small > 0; small = Math.floor(small / 10_000)) digits.push(small % 10_000);
    const weight = digits.length - 1;
    let skip = 0;
    while (skip < digits.length && digits[skip] === 0) skip++;
    const count = digits.length - skip;
    this.#room(12 + count * 2);
    this.#at = this.#bytes.writeInt32BE(8 + count * 2, this.#at);
    this.#at = this.#bytes.writeInt16BE(count, this.#at);
    this.#at = this.#bytes.writeInt16BE(count === 0 ? 0 : weight, this.#at);
    this.#at = this.#bytes.writeUInt16BE(negative ? 0x4000 : 0, this.#at);
    this.#at = this.#bytes.writeInt16BE(0, this.#at);
    for (let i = digits.length - 1; i >= skip; i--) this.#at = this.#bytes.writeInt16BE(digits[i]!, this.#at);
  }
}
