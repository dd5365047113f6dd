import { readAddressVersion } from '../address/principal.ts';
import { UnknownCodeError } from '../error.ts';
import { skipClarityName, skipContractName } from '../name.ts';
import type { Reader } from '../reader.ts';
import { checkUtf8 } from '../utf8.ts';
import { enter, MIN_ENTRY_SIZE, Prefix } from './prefix.ts';
import { readClarity } from './value.ts';

/** Checks one value as `readClarity` does and moves past it, without building anything. */
export function skipClarity(reader: Reader): void {
  const start = reader.offset;
  if (skipValue(reader, 1)) return;
  // Some tuple is out of order, and might repeat a key: rare enough to be read in full.
  reader.offset = start;
  readClarity(reader);
}

/** Moves past one value; true if all its tuples have ascending keys. */
function skipValue(reader: Reader, depth: number): boolean {
  const prefix = reader.u8();
  switch (prefix) {
    case Prefix.int:
    case Prefix.uint:
      reader.skip(16);
      return true;
    case Prefix.buffer:
    case Prefix.stringAscii:
      reader.skip(reader.u32());
      return true;
    case Prefix.true:
    case Prefix.false:
    case Prefix.none:
      return true;
    case Prefix.standardPrincipal:
      readAddressVersion(reader);
      reader.skip(20);
      return true;
    case Prefix.contractPrincipal:
      readAddressVersion(reader);
      reader.skip(20);
      skipContractName(reader);
      return true;
    case Prefix.ok:
    case Prefix.err:
    case Prefix.some:
      return skipValue(reader, enter(reader, depth));
    case Prefix.list:
      return skipItems(reader, depth);
    case Prefix.tuple:
      return skipEntries(reader, depth);
    case Prefix.stringUtf8: {
      const start = reader.skip(reader.u32());
      checkUtf8(reader.bytes, start, reader.offset);
      return true;
    }
    default:
      throw new UnknownCodeError('Clarity prefix', prefix, reader.offset - 1);
  }
}

function skipItems(reader: Reader, depth: number): boolean {
  const count = reader.count(1);
  let sorted = true;
  if (count === 0) return sorted;
  const inner = enter(reader, depth);
  for (let i = 0; i < count; i++) sorted = skipValue(reader, inner) && sorted;
  return sorted;
}

function skipEntries(reader: Reader, depth: number): boolean {
  const count = reader.count(MIN_ENTRY_SIZE);
  let sorted = true;
  if (count === 0) return sorted;
  const inner = enter(reader, depth);
  let lastStart = 0;
  let lastEnd = 0;
  for (let i = 0; i < count; i++) {
    const start = skipClarityName(reader);
    const end = reader.offset;
    if (i > 0) sorted = ascends(reader.bytes, lastStart, lastEnd, start, end) && sorted;
    lastStart = start;
    lastEnd = end;
    sorted = skipValue(reader, inner) && sorted;
  }
  return sorted;
}

/** Whether the bytes `[a..aEnd)` sort strictly before `[b..bEnd)`. */
export function ascends(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): boolean {
  for (let i = a, j = b; i < aEnd && j < bEnd; i++, j++) {
    if (bytes[i] !== bytes[j]) return bytes[i]! < bytes[j]!;
  }
  return aEnd - a < bEnd - b;
}
