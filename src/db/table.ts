/**
 * How a column is encoded in a binary COPY. `principal`, `asset` and `function` are integer keys into the interning tables;
 * they have own names so that two databases can be compared by the interned values.
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

/** A table for its writer: name and columns in the order of row values. */
export type Table = { name: string; columns: Readonly<Record<string, ColumnType>> };

/** One value of a row; amounts are bigint, bytes are Uint8Array, times are milliseconds. */
export type Value = null | boolean | number | bigint | string | Uint8Array | readonly (number | bigint)[];
export type Row = readonly Value[];
