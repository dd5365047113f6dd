import { decodeAddress } from '../address/c32.ts';
import { writeClarityName, writePrincipal } from '../address/principal.ts';
import { CodecError } from '../error.ts';
import { encodeUtf8 } from '../utf8.ts';
import { Writer } from '../writer.ts';
import { MAX_DEPTH, Prefix } from './prefix.ts';
import type { ClarityValue } from './value.ts';

/** The bytes of a value; tuple entries are written in the order given, which `tuple()` makes canonical. */
export function encodeClarity(value: ClarityValue): Uint8Array {
  const writer = new Writer(64);
  writeClarity(writer, value);
  return writer.finish();
}

/** Appends the bytes of a value (SIP-005). */
export function writeClarity(writer: Writer, value: ClarityValue, depth = 1): void {
  if (depth > MAX_DEPTH) throw new CodecError(`values nested deeper than ${MAX_DEPTH}`, writer.length);
  switch (value.type) {
    case 'int':
      writer.u8(Prefix.int).i128(value.value);
      return;
    case 'uint':
      writer.u8(Prefix.uint).u128(value.value);
      return;
    case 'buffer':
      writer.u8(Prefix.buffer).u32(value.bytes.length).raw(value.bytes);
      return;
    case 'bool':
      writer.u8(value.value ? Prefix.true : Prefix.false);
      return;
    case 'principal': {
      writer.u8(value.contract === undefined ? Prefix.standardPrincipal : Prefix.contractPrincipal);
      writePrincipal(writer, { ...decodeAddress(value.address), name: value.contract });
      return;
    }
    case 'ok':
    case 'err':
    case 'some':
      writer.u8(Prefix[value.type]);
      writeClarity(writer, value.value, depth + 1);
      return;
    case 'none':
      writer.u8(Prefix.none);
      return;
    case 'list':
      writer.u8(Prefix.list).u32(value.items.length);
      for (const item of value.items) writeClarity(writer, item, depth + 1);
      return;
    case 'tuple':
      writer.u8(Prefix.tuple).u32(value.entries.length);
      for (const entry of value.entries) {
        writeClarityName(writer, entry.name);
        writeClarity(writer, entry.value, depth + 1);
      }
      return;
    case 'string-ascii':
      writer.u8(Prefix.stringAscii).u32(value.text.length).latin1(value.text);
      return;
    case 'string-utf8': {
      const bytes = encodeUtf8(value.text);
      writer.u8(Prefix.stringUtf8).u32(bytes.length).raw(bytes);
      return;
    }
  }
}
