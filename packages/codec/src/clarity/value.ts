import { encodeAddress } from '../address/c32.ts';
import { readAddressVersion } from '../address/principal.ts';
import { latin1Range } from '../byte-text.ts';
import { CodecError, UnknownCodeError } from '../error.ts';
import { readClarityName, readContractName } from '../name.ts';
import { Reader } from '../reader.ts';
import { decodeUtf8 } from '../utf8.ts';
import { enter, MIN_ENTRY_SIZE, Prefix } from './prefix.ts';

/** A Clarity value (SIP-002); tuple entries are in the order of the wire. */
export type ClarityValue =
  | { type: 'int'; value: bigint }
  | { type: 'uint'; value: bigint }
  | { type: 'buffer'; bytes: Uint8Array }
  | { type: 'bool'; value: boolean }
  | ClarityPrincipal
  | { type: 'ok' | 'err' | 'some'; value: ClarityValue }
  | { type: 'none' }
  | { type: 'list'; items: ClarityValue[] }
  | { type: 'tuple'; entries: TupleEntry[] }
  /** One character per byte, so that any byte survives the round trip. */
  | { type: 'string-ascii'; text: string }
  | { type: 'string-utf8'; text: string };

/** A principal as text, with its contract name apart. */
export type ClarityPrincipal = { type: 'principal'; address: string; contract?: string };

/** One key of a tuple and its value. */
export type TupleEntry = { name: string; value: ClarityValue };

/** Decodes exactly one value: bytes left over are an error. */
export function decodeClarity(bytes: Uint8Array): ClarityValue {
  const reader = new Reader(bytes);
  const value = readClarity(reader);
  reader.end();
  return value;
}

/** Reads one value and stops just after it. Prefixes: SIP-005. */
export function readClarity(reader: Reader, depth = 1): ClarityValue {
  const prefix = reader.u8();
  switch (prefix) {
    case Prefix.int:
      return { type: 'int', value: reader.i128() };
    case Prefix.uint:
      return { type: 'uint', value: reader.u128() };
    case Prefix.buffer:
      return { type: 'buffer', bytes: reader.take(reader.u32()) };
    case Prefix.true:
      return { type: 'bool', value: true };
    case Prefix.false:
      return { type: 'bool', value: false };
    case Prefix.standardPrincipal:
      return { type: 'principal', address: readAddress(reader) };
    case Prefix.contractPrincipal:
      return { type: 'principal', address: readAddress(reader), contract: readContractName(reader) };
    case Prefix.ok:
      return { type: 'ok', value: readClarity(reader, enter(reader, depth)) };
    case Prefix.err:
      return { type: 'err', value: readClarity(reader, enter(reader, depth)) };
    case Prefix.none:
      return { type: 'none' };
    case Prefix.some:
      return { type: 'some', value: readClarity(reader, enter(reader, depth)) };
    case Prefix.list:
      return { type: 'list', items: readItems(reader, depth) };
    case Prefix.tuple:
      return { type: 'tuple', entries: readEntries(reader, depth) };
    case Prefix.stringAscii: {
      const start = reader.skip(reader.u32());
      return { type: 'string-ascii', text: latin1Range(reader.bytes, start, reader.offset) };
    }
    case Prefix.stringUtf8: {
      const start = reader.skip(reader.u32());
      return { type: 'string-utf8', text: decodeUtf8(reader.bytes, start, reader.offset) };
    }
    default:
      throw new UnknownCodeError('Clarity prefix', prefix, reader.offset - 1);
  }
}

function readAddress(reader: Reader): string {
  const version = readAddressVersion(reader);
  return encodeAddress(version, reader.bytes, reader.skip(20));
}

function readItems(reader: Reader, depth: number): ClarityValue[] {
  const count = reader.count(1);
  const items: ClarityValue[] = [];
  if (count === 0) return items;
  const inner = enter(reader, depth);
  for (let i = 0; i < count; i++) items.push(readClarity(reader, inner));
  return items;
}

function readEntries(reader: Reader, depth: number): TupleEntry[] {
  const count = reader.count(MIN_ENTRY_SIZE);
  const entries: TupleEntry[] = [];
  if (count === 0) return entries;
  const inner = enter(reader, depth);
  // While keys ascend none can repeat; only a tuple that is out of order pays for a set.
  let seen: Set<string> | undefined;
  for (let i = 0; i < count; i++) {
    const at = reader.offset;
    const name = readClarityName(reader);
    if (seen === undefined && i > 0 && name <= entries[i - 1]!.name) seen = new Set(entries.map(entry => entry.name));
    if (seen?.has(name)) throw new CodecError(`tuple key ${name} repeated`, at);
    seen?.add(name);
    entries.push({ name, value: readClarity(reader, inner) });
  }
  return entries;
}
