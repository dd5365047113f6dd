import { encodeAddress } from '../address/c32.ts';
import { readAddressVersion } from '../address/principal.ts';
import { hexRange, latin1Range } from '../byte-text.ts';
import { UnknownCodeError } from '../error.ts';
import { readContractName, skipClarityName } from '../name.ts';
import { Reader, readU32 } from '../reader.ts';
import { utf8Length } from '../utf8.ts';
import { sortTuples } from './build.ts';
import { encodeClarity } from './encode.ts';
import { enter, MIN_ENTRY_SIZE, Prefix } from './prefix.ts';
import { ascends } from './skip.ts';
import { type ClarityValue, decodeClarity } from './value.ts';

/** The canonical text of a serialized value, straight from its bytes. */
export function reprClarity(bytes: Uint8Array): string {
  const reader = new ReprReader(bytes);
  const text = repr(reader, 1);
  reader.end();
  // Keys are shown in the order of their bytes, whatever the order of the wire.
  return reader.sorted ? text : reprValue(decodeClarity(bytes));
}

/** The canonical text of a value. */
export function reprValue(value: ClarityValue): string {
  return reprClarity(encodeClarity(sortTuples(value)));
}

/** A reader that records whether the tuples it read had ascending keys. */
class ReprReader extends Reader {
  sorted = true;
}

function repr(reader: ReprReader, depth: number): string {
  const prefix = reader.u8();
  switch (prefix) {
    case Prefix.int:
      return reprInt(reader);
    case Prefix.uint:
      return `u${reprUint(reader)}`;
    case Prefix.buffer: {
      const start = reader.skip(reader.u32());
      return `0x${hexRange(reader.bytes, start, reader.offset)}`;
    }
    case Prefix.true:
      return 'true';
    case Prefix.false:
      return 'false';
    case Prefix.standardPrincipal:
      return `'${readAddress(reader)}`;
    case Prefix.contractPrincipal:
      return `'${readAddress(reader)}.${readContractName(reader)}`;
    case Prefix.ok:
      return `(ok ${repr(reader, enter(reader, depth))})`;
    case Prefix.err:
      return `(err ${repr(reader, enter(reader, depth))})`;
    case Prefix.none:
      return 'none';
    case Prefix.some:
      return `(some ${repr(reader, enter(reader, depth))})`;
    case Prefix.list:
      return reprList(reader, depth);
    case Prefix.tuple:
      return reprTuple(reader, depth);
    case Prefix.stringAscii: {
      const start = reader.skip(reader.u32());
      return `"${escapeAscii(reader.bytes, start, reader.offset)}"`;
    }
    case Prefix.stringUtf8: {
      const start = reader.skip(reader.u32());
      return `u"${escapeUtf8(reader.bytes, start, reader.offset)}"`;
    }
    default:
      throw new UnknownCodeError('Clarity prefix', prefix, reader.offset - 1);
  }
}

function readAddress(reader: Reader): string {
  const version = readAddressVersion(reader);
  return encodeAddress(version, reader.bytes, reader.skip(20));
}

/** Small amounts, nearly all, are shown without a detour through bigint. */
function reprUint(reader: Reader): string {
  const { bytes, offset } = reader;
  if (bytes.length - offset >= 16) {
    const high = readU32(bytes, offset + 8);
    if (high < 0x20_0000 && readU32(bytes, offset) === 0 && readU32(bytes, offset + 4) === 0) {
      reader.offset = offset + 16;
      return `${high * 0x1_0000_0000 + readU32(bytes, offset + 12)}`;
    }
  }
  return reader.u128().toString();
}

function reprInt(reader: Reader): string {
  const { bytes, offset } = reader;
  return offset < bytes.length && bytes[offset]! < 0x80 ? reprUint(reader) : reader.i128().toString();
}

function reprList(reader: ReprReader, depth: number): string {
  const count = reader.count(1);
  if (count === 0) return '(list)';
  const inner = enter(reader, depth);
  let text = '(list';
  for (let i = 0; i < count; i++) text += ` ${repr(reader, inner)}`;
  return `${text})`;
}

function reprTuple(reader: ReprReader, depth: number): string {
  const count = reader.count(MIN_ENTRY_SIZE);
  if (count === 0) return '(tuple)';
  const inner = enter(reader, depth);
  const { bytes } = reader;
  let text = '(tuple';
  let lastStart = 0;
  let lastEnd = 0;
  for (let i = 0; i < count; i++) {
    const start = skipClarityName(reader);
    const end = reader.offset;
    if (i > 0 && !ascends(bytes, lastStart, lastEnd, start, end)) reader.sorted = false;
    lastStart = start;
    lastEnd = end;
    text += ` (${latin1Range(bytes, start, end)} ${repr(reader, inner)})`;
  }
  return `${text})`;
}

/** How each single byte is shown inside quotes. */
const ESCAPED: string[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x20 && byte <= 0x7e) return String.fromCharCode(byte);
  return `\\x${byte.toString(16).padStart(2, '0')}`;
});
for (const [char, escaped] of [
  ['\t', '\\t'],
  ['\r', '\\r'],
  ['\n', '\\n'],
  ["'", "\\'"],
  ['"', '\\"'],
  ['\\', '\\\\'],
] as const) {
  ESCAPED[char.charCodeAt(0)] = escaped;
}
const PLAIN = Uint8Array.from(ESCAPED, text => (text.length === 1 ? 1 : 0));

function escapeAscii(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let from = start;
  for (let i = start; i < end; i++) {
    if (PLAIN[bytes[i]!] === 1) continue;
    text += latin1Range(bytes, from, i) + ESCAPED[bytes[i]!]!;
    from = i + 1;
  }
  return text + latin1Range(bytes, from, end);
}

function escapeUtf8(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let from = start;
  for (let i = start; i < end; ) {
    if (PLAIN[bytes[i]!] === 1) {
      i++;
      continue;
    }
    text += latin1Range(bytes, from, i);
    const length = utf8Length(bytes, i, end);
    text += length === 1 ? ESCAPED[bytes[i]!]! : `\\u{${hexRange(bytes, i, i + length)}}`;
    i += length;
    from = i;
  }
  return text + latin1Range(bytes, from, end);
}
