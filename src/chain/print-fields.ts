import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError } from '@cairn-stacks/codec/error';

/** The entries of a tuple by name. Prints of PoX contracts gained keys with every epoch, so each may be missing. */
export type Fields = ReadonlyMap<string, ClarityValue>;

const none: Fields = new Map();

/** The tuple that a print holds, as it is or wrapped in `ok`; undefined for anything else. */
export function printedFields(value: Uint8Array): Fields | undefined {
  try {
    const printed = decodeClarity(value);
    const inner = printed.type === 'ok' ? printed.value : printed;
    return inner.type === 'tuple' ? fieldsOf(inner) : undefined;
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}

/** The entries of a tuple, of an optional one too; none for anything else. */
export function fieldsOf(value: ClarityValue | undefined): Fields {
  const inner = present(value);
  return inner?.type === 'tuple' ? new Map(inner.entries.map(entry => [entry.name, entry.value])) : none;
}

/** The content of an optional; any other value is returned unchanged. */
function present(value: ClarityValue | undefined): ClarityValue | undefined {
  if (value?.type === 'none') return undefined;
  return value?.type === 'some' ? value.value : value;
}

export function uintOf(value: ClarityValue | undefined): bigint | undefined {
  const inner = present(value);
  return inner?.type === 'uint' || inner?.type === 'int' ? inner.value : undefined;
}

export function bytesOf(value: ClarityValue | undefined): Uint8Array | undefined {
  const inner = present(value);
  return inner?.type === 'buffer' ? inner.bytes : undefined;
}

export function textOf(value: ClarityValue | undefined): string | undefined {
  const inner = present(value);
  return inner?.type === 'string-ascii' || inner?.type === 'string-utf8' ? inner.text : undefined;
}

export function principalOf(value: ClarityValue | undefined): string | undefined {
  const inner = present(value);
  if (inner?.type !== 'principal') return undefined;
  return inner.contract === undefined ? inner.address : `${inner.address}.${inner.contract}`;
}

export function boolOf(value: ClarityValue | undefined): boolean | undefined {
  const inner = present(value);
  return inner?.type === 'bool' ? inner.value : undefined;
}

export function itemsOf(value: ClarityValue | undefined): readonly ClarityValue[] {
  const inner = present(value);
  return inner?.type === 'list' ? inner.items : [];
}

/** The largest number of an `int` column; numbers that callers chose freely may be larger and mean "never". */
const never = 2_147_483_647;

/** A number for an `int` column; -1 where the print has none. */
export const columnOf = (value: bigint | undefined): number =>
  value === undefined ? -1 : Number(value > never ? never : value);
