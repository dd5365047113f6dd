import { latin1Range } from '../byte-text.ts';
import { CodecError } from '../error.ts';
import { isClarityName, isContractName, readContractName } from '../name.ts';
import type { Reader } from '../reader.ts';
import type { Writer } from '../writer.ts';
import { decodeAddress, encodeAddress } from './c32.ts';

/** An account (no name) or a contract (with its name). */
export type Principal = { version: number; hash: Uint8Array; name?: string | undefined };

/** An asset of a contract: `S….contract::asset`. */
export type AssetId = { contract: Principal & { name: string }; asset: string };

/** Reads `S…` or `S….name`. */
export function parsePrincipal(text: string): Principal {
  const dot = text.indexOf('.');
  if (dot < 0) return decodeAddress(text);
  const name = text.slice(dot + 1);
  if (!isContractName(name)) throw new CodecError('not a contract name', dot + 1);
  const { version, hash } = decodeAddress(text.slice(0, dot));
  return { version, hash, name };
}

/** The text `S…` or `S….name`. */
export function formatPrincipal(principal: Principal): string {
  const address = encodeAddress(principal.version, principal.hash);
  return principal.name === undefined ? address : `${address}.${principal.name}`;
}

/** Whether the text is an account or a contract, its checksum included. */
export function isPrincipal(text: string): boolean {
  try {
    parsePrincipal(text);
    return true;
  } catch (error) {
    if (error instanceof CodecError) return false;
    throw error;
  }
}

const DOT = 0x2e;

/** The compact form: version ‖ hash160, and for a contract `.` and its name in ASCII. */
export function principalToBytes(text: string): Uint8Array {
  return packPrincipal(parsePrincipal(text));
}

/** The compact form, or no bytes if the text is not a principal: no row has that principal. */
export const principalOrUnknown = (text: string): Uint8Array =>
  isPrincipal(text) ? principalToBytes(text) : new Uint8Array(0);

/** The compact form of a decoded principal. */
export function packPrincipal({ version, hash, name }: Principal): Uint8Array {
  const bytes = new Uint8Array(name === undefined ? 21 : 22 + name.length);
  bytes[0] = version;
  bytes.set(hash, 1);
  if (name !== undefined) {
    bytes[21] = DOT;
    for (let i = 0; i < name.length; i++) bytes[22 + i] = name.charCodeAt(i);
  }
  return bytes;
}

/** The text of a compact form. */
export function principalFromBytes(bytes: Uint8Array): string {
  if (bytes.length < 21) throw new CodecError('a principal has at least 21 bytes', bytes.length);
  const address = encodeAddress(bytes[0]!, bytes, 1);
  if (bytes.length === 21) return address;
  const name = latin1Range(bytes, 22, bytes.length);
  if (bytes[21] !== DOT) throw new CodecError('a dot expected between address and name', 21);
  if (!isContractName(name)) throw new CodecError('not a contract name', 22);
  return `${address}.${name}`;
}

/** Reads `S….contract::asset`. */
export function parseAssetId(text: string): AssetId {
  const colons = text.indexOf('::');
  if (colons < 0) throw new CodecError('an asset identifier has ::', text.length);
  const asset = text.slice(colons + 2);
  if (!isClarityName(asset)) throw new CodecError('not an asset name', colons + 2);
  const { version, hash, name } = parsePrincipal(text.slice(0, colons));
  if (name === undefined) throw new CodecError('an asset belongs to a contract', colons);
  return { contract: { version, hash, name }, asset };
}

/** The text `S….contract::asset`. */
export function formatAssetId({ contract, asset }: AssetId): string {
  return `${formatPrincipal(contract)}::${asset}`;
}

/** Whether the text is an asset identifier. */
export function isAssetId(text: string): boolean {
  try {
    parseAssetId(text);
    return true;
  } catch (error) {
    if (error instanceof CodecError) return false;
    throw error;
  }
}

/** Reads version ‖ hash160. */
export function readStandardPrincipal(reader: Reader): Principal {
  const version = readAddressVersion(reader);
  return { version, hash: reader.take(20), name: undefined };
}

/** Reads version ‖ hash160 ‖ name length ‖ name. */
export function readContractPrincipal(reader: Reader): Principal & { name: string } {
  const version = readAddressVersion(reader);
  return { version, hash: reader.take(20), name: readContractName(reader) };
}

/** Reads an address version: five bits, so that it has a c32 digit. */
export function readAddressVersion(reader: Reader): number {
  const version = reader.u8();
  if (version >= 32) throw new CodecError(`address version ${version} is not below 32`, reader.offset - 1);
  return version;
}

/** Writes version ‖ hash160, and for a contract name length ‖ name. */
export function writePrincipal(writer: Writer, { version, hash, name }: Principal): void {
  if (version >= 32) throw new CodecError(`address version ${version} is not below 32`, writer.length);
  writer.u8(version).fixed(hash, 20);
  if (name !== undefined) writeContractName(writer, name);
}

/** Writes a length byte and a contract name. */
export function writeContractName(writer: Writer, name: string): void {
  if (!isContractName(name)) throw new CodecError('not a contract name', writer.length);
  writer.u8(name.length).latin1(name);
}

/** Writes a length byte and a Clarity name. */
export function writeClarityName(writer: Writer, name: string): void {
  if (!isClarityName(name)) throw new CodecError('not a name', writer.length);
  writer.u8(name.length).latin1(name);
}
