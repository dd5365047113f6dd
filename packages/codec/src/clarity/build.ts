import type { ClarityValue, TupleEntry } from './value.ts';

/** A signed 128-bit integer. */
export const int = (value: bigint | number): ClarityValue => ({ type: 'int', value: BigInt(value) });

/** An unsigned 128-bit integer. */
export const uint = (value: bigint | number): ClarityValue => ({ type: 'uint', value: BigInt(value) });

/** A buffer. */
export const buffer = (bytes: Uint8Array): ClarityValue => ({ type: 'buffer', bytes });

/** A boolean. */
export const bool = (value: boolean): ClarityValue => ({ type: 'bool', value });

/** A principal from its text `S…` or `S….name`. */
export function principal(text: string): ClarityValue {
  const dot = text.indexOf('.');
  if (dot < 0) return { type: 'principal', address: text };
  return { type: 'principal', address: text.slice(0, dot), contract: text.slice(dot + 1) };
}

/** The good half of a response. */
export const ok = (value: ClarityValue): ClarityValue => ({ type: 'ok', value });

/** The bad half of a response. */
export const err = (value: ClarityValue): ClarityValue => ({ type: 'err', value });

/** An optional that is there. */
export const some = (value: ClarityValue): ClarityValue => ({ type: 'some', value });

/** An optional that is not. */
export const none: ClarityValue = Object.freeze({ type: 'none' });

/** A list. */
export const list = (items: ClarityValue[]): ClarityValue => ({ type: 'list', items });

/** A tuple with its keys in the canonical order, that of their bytes. */
export function tuple(values: Record<string, ClarityValue>): ClarityValue {
  return { type: 'tuple', entries: sortEntries(Object.entries(values).map(([name, value]) => ({ name, value }))) };
}

/** A string of ASCII characters. */
export const stringAscii = (text: string): ClarityValue => ({ type: 'string-ascii', text });

/** A string of Unicode characters. */
export const stringUtf8 = (text: string): ClarityValue => ({ type: 'string-utf8', text });

/** Names are ASCII, so that the order of code units is that of bytes. */
function sortEntries(entries: TupleEntry[]): TupleEntry[] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The value with every tuple in canonical order. */
export function sortTuples(value: ClarityValue): ClarityValue {
  switch (value.type) {
    case 'ok':
    case 'err':
    case 'some':
      return { type: value.type, value: sortTuples(value.value) };
    case 'list':
      return { type: 'list', items: value.items.map(sortTuples) };
    case 'tuple':
      return {
        type: 'tuple',
        entries: sortEntries(value.entries.map(entry => ({ name: entry.name, value: sortTuples(entry.value) }))),
      };
    default:
      return value;
  }
}
