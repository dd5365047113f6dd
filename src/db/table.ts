/**
 * How a column travels in a binary COPY. `principal`, `asset` and `function` are integer keys into the interning tables;
 * they are named apart so that two databases can be compared by what the keys stand for.
 */
export type ColumnType =
  | 'bool'
  | 'int2'
  | 'int4'
  | 'int8'
  | 'numeric'
  | 'bytea'
  | 'text'
  | 'timestamptz'
  | 'int4[]'
  | 'int8[]'
  | 'principal'
  | 'asset'
  | 'function';

/** A table as its writer sees it: name and columns in the order rows are given. */
export type Table = { name: string; columns: Readonly<Record<string, ColumnType>> };

/** One value of a row; amounts are bigint, bytes are Uint8Array, times are milliseconds. */
export type Value = null | boolean | number | bigint | string | Uint8Array | readonly (number | bigint)[];
export type Row = readonly Value[];
