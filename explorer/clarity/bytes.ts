import { bytesOfHex, hexOfBytes } from '../format/bytes.ts';
import { decodeAddress, encodeAddress } from './c32.ts';
import type { ClarityTree } from './value.ts';

/** The wire format of SIP-005: a byte for the type, then its content. */
const tag = {
  int: 0x00,
  uint: 0x01,
  buffer: 0x02,
  true: 0x03,
  false: 0x04,
  standard: 0x05,
  contract: 0x06,
  ok: 0x07,
  err: 0x08,
  none: 0x09,
  some: 0x0a,
  list: 0x0b,
  tuple: 0x0c,
  ascii: 0x0d,
  utf8: 0x0e,
} as const;

export class ClarityValueError extends Error {}

/** The bytes of a value as hexadecimal text with 0x. */
export function encodeClarity(value: ClarityTree): string {
  return `0x${hexOfBytes(Uint8Array.from(bytesOf(value)))}`;
}

function bytesOf(value: ClarityTree): number[] {
  switch (value.kind) {
    case 'int':
      return [tag.int, ...integer(BigInt(value.text), -(1n << 127n), (1n << 127n) - 1n)];
    case 'uint':
      return [tag.uint, ...integer(BigInt(value.text), 0n, (1n << 128n) - 1n)];
    case 'bool':
      return [value.text === 'true' ? tag.true : tag.false];
    case 'none':
      return [tag.none];
    case 'buffer': {
      const bytes = bytesOfHex(value.text);
      if (!bytes) throw new ClarityValueError('a buffer is hexadecimal');
      return [tag.buffer, ...counted([...bytes])];
    }
    case 'principal':
      return principal(value.text);
    case 'ascii':
      if (!/^[\x20-\x7e\n\t\r]*$/.test(value.text))
        throw new ClarityValueError('string-ascii has only ASCII characters');
      return [tag.ascii, ...counted([...new TextEncoder().encode(value.text)])];
    case 'utf8':
      return [tag.utf8, ...counted([...new TextEncoder().encode(value.text)])];
    case 'some':
    case 'ok':
    case 'err':
      return [tag[value.kind], ...bytesOf(value.value)];
    case 'list':
      return [tag.list, ...u32(value.items.length), ...value.items.flatMap(bytesOf)];
    case 'tuple': {
      const fields = [...value.fields].sort((a, b) => (a.name < b.name ? -1 : 1));
      return [
        tag.tuple,
        ...u32(fields.length),
        ...fields.flatMap(field => [...name(field.name), ...bytesOf(field.value)]),
      ];
    }
  }
}

function principal(text: string): number[] {
  const [address = '', contract] = text.split('.');
  const decoded = decodeAddress(address);
  if (!decoded) throw new ClarityValueError(`${address} is not an address: its checksum is wrong`);
  const bytes = [decoded.version, ...decoded.hash];
  return contract === undefined ? [tag.standard, ...bytes] : [tag.contract, ...bytes, ...name(contract)];
}

function integer(value: bigint, least: bigint, most: bigint): number[] {
  if (value < least || value > most) throw new ClarityValueError('the number does not fit into 128 bits');
  const hex = BigInt.asUintN(128, value).toString(16).padStart(32, '0');
  return [...bytesOfHex(hex)!];
}

const u32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
const counted = (bytes: number[]): number[] => [...u32(bytes.length), ...bytes];
const name = (text: string): number[] => {
  const bytes = [...new TextEncoder().encode(text)];
  return [bytes.length, ...bytes];
};

/** The value of hexadecimal bytes, as a node returns it; throws ClarityValueError for anything else. */
export function decodeClarity(hex: string): ClarityTree {
  const bytes = bytesOfHex(hex);
  if (!bytes) throw new ClarityValueError('not hexadecimal');
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (!reader.done) throw new ClarityValueError('bytes are left over');
  return value;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at === this.#bytes.length;
  }

  value(depth: number): ClarityTree {
    if (depth > 64) throw new ClarityValueError('the value is too deep');
    const kind = this.#take(1)[0];
    switch (kind) {
      case tag.int:
        return { kind: 'int', text: BigInt.asIntN(128, this.#integer()).toString() };
      case tag.uint:
        return { kind: 'uint', text: this.#integer().toString() };
      case tag.buffer:
        return { kind: 'buffer', text: `0x${hexOfBytes(this.#take(this.#u32()))}` };
      case tag.true:
      case tag.false:
        return { kind: 'bool', text: String(kind === tag.true) };
      case tag.standard:
        return { kind: 'principal', text: this.#address() };
      case tag.contract:
        return { kind: 'principal', text: `${this.#address()}.${this.#name()}` };
      case tag.ok:
      case tag.err:
      case tag.some: {
        const outer = kind === tag.ok ? 'ok' : kind === tag.err ? 'err' : 'some';
        return { kind: outer, value: this.value(depth + 1) };
      }
      case tag.none:
        return { kind: 'none', text: 'none' };
      case tag.list:
        return { kind: 'list', items: this.#times(() => this.value(depth + 1)) };
      case tag.tuple:
        return { kind: 'tuple', fields: this.#times(() => ({ name: this.#name(), value: this.value(depth + 1) })) };
      case tag.ascii:
      case tag.utf8:
        return { kind: kind === tag.ascii ? 'ascii' : 'utf8', text: new TextDecoder().decode(this.#take(this.#u32())) };
      default:
        throw new ClarityValueError(`unknown type ${kind}`);
    }
  }

  #take(count: number): Uint8Array {
    if (this.#at + count > this.#bytes.length) throw new ClarityValueError('bytes are missing');
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  #u32(): number {
    return this.#take(4).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  #times<T>(read: () => T): T[] {
    const count = this.#u32();
    if (count > this.#bytes.length - this.#at) throw new ClarityValueError('bytes are missing');
    return Array.from({ length: count }, read);
  }

  #integer(): bigint {
    return this.#take(16).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  }

  #address(): string {
    const [version = 0] = this.#take(1);
    return encodeAddress(version, this.#take(20));
  }

  #name(): string {
    const [length = 0] = this.#take(1);
    return new TextDecoder().decode(this.#take(length));
  }
}
