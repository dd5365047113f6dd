import type { StatementPart } from './statement.ts';
import type { Value } from './table.ts';

/** A serialized value: text, bytes or null. */
export type Parameter = string | Buffer | null;

/** The protocol has 16 bits for the number of values of a statement. */
const MAX_PARAMETERS = 0xffff;

/**
 * Serializes the values of a statement. All are serialized before any byte of the statement is sent: a value that cannot be
 * serialized fails only its own statement.
 */
export function serializeParameters(values: readonly StatementPart[]): Parameter[] {
  if (values.length > MAX_PARAMETERS) {
    throw new TypeError(`a statement has ${values.length} values, more than the ${MAX_PARAMETERS} it may have`);
  }
  const parameters = new Array<Parameter>(values.length);
  for (let i = 0; i < values.length; i++) parameters[i] = serialize(values[i], i);
  return parameters;
}

function serialize(value: unknown, index: number): Parameter {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? 't' : 'f';
    default:
      if (value === null) return null;
      if (Buffer.isBuffer(value)) return value;
      if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      if (Array.isArray(value)) return arrayText(value);
      throw new TypeError(
        `value $${index + 1} of a statement is ${describe(value)}, which the database has no type for`,
      );
  }
}

const describe = (value: unknown) =>
  typeof value === 'object'
    ? `an object (${value?.constructor?.name ?? 'without a class'})`
    : `of type ${typeof value}`;

/** A PostgreSQL array in text form. */
export const arrayText = (list: readonly Value[]): string => `{${list.map(element).join(',')}}`;

function element(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array)
    return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`;
  // PostgreSQL text cannot hold U+0000.
  if (typeof value === 'string') return `"${value.replaceAll('\0', '').replace(/[\\"]/g, '\\$&')}"`;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  throw new TypeError(`an array holds ${describe(value)}, which the database has no type for`);
}
