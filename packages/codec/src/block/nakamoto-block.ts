import { sha512_256 } from '#hash';
import { Reader } from '../reader.ts';
import { readTransaction, type Transaction, writeTransaction } from '../transaction/transaction.ts';
import { Writer } from '../writer.ts';
import { type BitVector, readBitVector, writeBitVector } from './bit-vector.ts';
import { blockId } from './block-header.ts';

/** The header of a Nakamoto block (SIP-021; version 1 by SIP-044). */
export type NakamotoHeader = {
  /** The lower seven bits are the version; bit 7 marks a shadow block. */
  version: number;
  chainLength: bigint;
  burnSpent: bigint;
  consensusHash: Uint8Array;
  parentBlockId: Uint8Array;
  transactionMerkleRoot: Uint8Array;
  stateRoot: Uint8Array;
  timestamp: bigint;
  minerSignature: Uint8Array;
  signerSignatures: Uint8Array[];
  poxTreatment: BitVector;
  /** Transactions that are in the block but were not run; always empty in version 0. */
  problematicTransactions: ProblematicTransaction[];
};

/** A transaction that miner and signers agreed not to run, and the reason code. */
export type ProblematicTransaction = { index: number; category: number };

/** A whole block: its header and its transactions, each with its bytes. */
export type NakamotoBlock = { header: NakamotoHeader; transactions: { bytes: Uint8Array; transaction: Transaction }[] };

/** Decodes exactly one Nakamoto header. */
export function decodeNakamotoHeader(bytes: Uint8Array): NakamotoHeader {
  const reader = new Reader(bytes);
  const header = readNakamotoHeader(reader);
  reader.end();
  return header;
}

/** Decodes a whole Nakamoto block. */
export function decodeNakamotoBlock(bytes: Uint8Array): NakamotoBlock {
  const reader = new Reader(bytes);
  const header = readNakamotoHeader(reader);
  const transactions: NakamotoBlock['transactions'] = [];
  for (let left = reader.count(1); left > 0; left--) {
    const start = reader.offset;
    const transaction = readTransaction(reader);
    transactions.push({ bytes: reader.bytes.subarray(start, reader.offset), transaction });
  }
  reader.end();
  return { header, transactions };
}

/** Reads a Nakamoto header and stops after it. */
export function readNakamotoHeader(reader: Reader): NakamotoHeader {
  const version = reader.u8();
  return {
    version,
    chainLength: reader.u64(),
    burnSpent: reader.u64(),
    consensusHash: reader.take(20),
    parentBlockId: reader.take(32),
    transactionMerkleRoot: reader.take(32),
    stateRoot: reader.take(32),
    timestamp: reader.u64(),
    minerSignature: reader.take(65),
    signerSignatures: readSignatures(reader),
    poxTreatment: readBitVector(reader),
    problematicTransactions: hasMarkers(version) ? readMarkers(reader) : [],
  };
}

function hasMarkers(version: number): boolean {
  return (version & 0x7f) >= 1;
}

function readSignatures(reader: Reader): Uint8Array[] {
  const signatures: Uint8Array[] = [];
  for (let left = reader.count(65); left > 0; left--) signatures.push(reader.take(65));
  return signatures;
}

function readMarkers(reader: Reader): ProblematicTransaction[] {
  const markers: ProblematicTransaction[] = [];
  for (let left = reader.count(5); left > 0; left--) markers.push({ index: reader.u32(), category: reader.u8() });
  return markers;
}

/** The bytes of a Nakamoto header. */
export function encodeNakamotoHeader(header: NakamotoHeader): Uint8Array {
  const writer = new Writer(512);
  writeHeader(writer, header, 'all');
  return writer.finish();
}

/** The bytes of a whole Nakamoto block. */
export function encodeNakamotoBlock({ header, transactions }: NakamotoBlock): Uint8Array {
  const writer = new Writer(4096);
  writeHeader(writer, header, 'all');
  writer.u32(transactions.length);
  for (const { transaction } of transactions) writeTransaction(writer, transaction);
  return writer.finish();
}

/** Signers do not sign their own signatures, nor the miner its own. */
function writeHeader(writer: Writer, header: NakamotoHeader, part: 'all' | 'signed by signers' | 'signed by miner') {
  writer
    .u8(header.version)
    .u64(header.chainLength)
    .u64(header.burnSpent)
    .fixed(header.consensusHash, 20)
    .fixed(header.parentBlockId, 32)
    .fixed(header.transactionMerkleRoot, 32)
    .fixed(header.stateRoot, 32)
    .u64(header.timestamp);
  if (part !== 'signed by miner') writer.fixed(header.minerSignature, 65);
  if (part === 'all') {
    writer.u32(header.signerSignatures.length);
    for (const signature of header.signerSignatures) writer.fixed(signature, 65);
  }
  writeBitVector(writer, header.poxTreatment);
  if (hasMarkers(header.version)) {
    writer.u32(header.problematicTransactions.length);
    for (const { index, category } of header.problematicTransactions) writer.u32(index).u8(category);
  }
}

/** The hash that the miner signs. */
export function minerSighash(header: NakamotoHeader): Uint8Array {
  const writer = new Writer(512);
  writeHeader(writer, header, 'signed by miner');
  return sha512_256(writer.finish());
}

/** The hash of a Nakamoto block, which the signers sign. */
export function nakamotoBlockHash(header: NakamotoHeader): Uint8Array {
  const writer = new Writer(512);
  writeHeader(writer, header, 'signed by signers');
  return sha512_256(writer.finish());
}

/** The id of a Nakamoto block. */
export function nakamotoBlockId(header: NakamotoHeader): Uint8Array {
  return blockId(nakamotoBlockHash(header), header.consensusHash);
}
