import { sha512_256 } from '#hash';
import { Reader } from '../reader.ts';
import { Writer } from '../writer.ts';

/** The header of a microblock (SIP-005): 132 bytes. */
export type MicroblockHeader = {
  version: number;
  sequence: number;
  previousHash: Uint8Array;
  transactionMerkleRoot: Uint8Array;
  signature: Uint8Array;
};

/** Decodes exactly one microblock header. */
export function decodeMicroblockHeader(bytes: Uint8Array): MicroblockHeader {
  const reader = new Reader(bytes);
  const header = readMicroblockHeader(reader);
  reader.end();
  return header;
}

/** Reads a microblock header and stops after it. */
export function readMicroblockHeader(reader: Reader): MicroblockHeader {
  return {
    version: reader.u8(),
    sequence: reader.u16(),
    previousHash: reader.take(32),
    transactionMerkleRoot: reader.take(32),
    signature: reader.take(65),
  };
}

/** Writes a microblock header. */
export function writeMicroblockHeader(writer: Writer, header: MicroblockHeader): void {
  writer
    .u8(header.version)
    .u16(header.sequence)
    .fixed(header.previousHash, 32)
    .fixed(header.transactionMerkleRoot, 32)
    .fixed(header.signature, 65);
}

/** The bytes of a microblock header. */
export function encodeMicroblockHeader(header: MicroblockHeader): Uint8Array {
  const writer = new Writer(132);
  writeMicroblockHeader(writer, header);
  return writer.finish();
}

/** The hash of a microblock: that of its signed header. */
export function microblockHash(header: MicroblockHeader): Uint8Array {
  return sha512_256(encodeMicroblockHeader(header));
}
