import { sha256 } from '#hash';
import { CodecError } from '../error.ts';
import { Reader } from '../reader.ts';
import { Writer } from '../writer.ts';

/** An output that a transaction spends; the id is in display order, as Bitcoin explorers show it. */
export type BitcoinOutpoint = { txId: Uint8Array; vout: number };

/** An output: its amount in satoshis, and the script that says who may spend it. */
export type BitcoinOutput = { amount: bigint; script: Uint8Array };

/** What a Bitcoin transaction spends and pays; the id is in display order. */
export type BitcoinTransaction = { id: Uint8Array; inputs: BitcoinOutpoint[]; outputs: BitcoinOutput[] };

const VERSION_BYTES = 4;
const LOCK_TIME_BYTES = 4;
const SEQUENCE_BYTES = 4;
const HASH_BYTES = 32;
/** The fewest bytes of an input and of an output. */
const SMALLEST_INPUT = 41;
const SMALLEST_OUTPUT = 9;
/** Stands where the number of inputs would be, before a flag of 1, if there is witness data (BIP-144). */
const WITNESS_MARKER = 0;
const WITNESS_FLAG = 1;

/** Decodes exactly one Bitcoin transaction, with or without witness data; bytes left over are an error. */
export function decodeBitcoinTransaction(bytes: Uint8Array): BitcoinTransaction {
  const reader = new Reader(bytes);
  const version = reader.take(VERSION_BYTES);
  const hasWitness = reader.bytes[reader.offset] === WITNESS_MARKER;
  if (hasWitness) {
    reader.skip(1);
    if (reader.u8() !== WITNESS_FLAG) throw new CodecError('unknown witness flag', reader.offset - 1);
  }
  const bodyStart = reader.offset;
  const inputs = times(readCount(reader, SMALLEST_INPUT), () => readInput(reader));
  const outputs = times(readCount(reader, SMALLEST_OUTPUT), () => readOutput(reader));
  const body = reader.bytes.subarray(bodyStart, reader.offset);
  if (hasWitness) for (const _ of inputs) skipWitness(reader);
  const lockTime = reader.take(LOCK_TIME_BYTES);
  reader.end();
  // The id leaves the witness data out.
  const hashed = new Writer(bytes.length).raw(version).raw(body).raw(lockTime).finish();
  return { id: sha256(sha256(hashed)).reverse(), inputs, outputs };
}

function readInput(reader: Reader): BitcoinOutpoint {
  const txId = reader.take(HASH_BYTES).slice().reverse();
  const vout = readU32(reader);
  reader.skip(readCount(reader, 1));
  reader.skip(SEQUENCE_BYTES);
  return { txId, vout };
}

function readOutput(reader: Reader): BitcoinOutput {
  const amount = BigInt(readU32(reader)) + (BigInt(readU32(reader)) << 32n);
  return { amount, script: reader.take(readCount(reader, 1)) };
}

function skipWitness(reader: Reader): void {
  const items = readCount(reader, 1);
  for (let i = 0; i < items; i++) reader.skip(readCount(reader, 1));
}

/** A count of things of at least `size` bytes each: more than can follow is an error. */
function readCount(reader: Reader, size: number): number {
  const start = reader.offset;
  const count = readCompactSize(reader);
  const left = reader.bytes.length - reader.offset;
  if (count * size > left) throw new CodecError(`${count} items announced, ${left} bytes left`, start);
  return count;
}

/** One byte, or two, four or eight after a prefix. */
function readCompactSize(reader: Reader): number {
  const first = reader.u8();
  if (first < 0xfd) return first;
  if (first === 0xfd) return reader.u8() + reader.u8() * 0x100;
  const low = readU32(reader);
  return first === 0xfe ? low : low + readU32(reader) * 0x1_0000_0000;
}

/** Bitcoin writes numbers with the lowest byte first. */
const readU32 = (reader: Reader): number =>
  reader.u8() + reader.u8() * 0x100 + reader.u8() * 0x1_0000 + reader.u8() * 0x100_0000;

const times = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read);
