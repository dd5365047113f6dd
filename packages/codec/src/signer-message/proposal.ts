import { blockId } from '../block/block-header.ts';
import { nakamotoBlockHash, readNakamotoHeader } from '../block/nakamoto-block.ts';
import { CodecError } from '../error.ts';
import { type Reader, readU32 } from '../reader.ts';
import { readTransaction } from '../transaction/transaction.ts';

/** What the header says of a block that is proposed or pushed. */
export type ProposedBlock = {
  /** The signer signature hash, which is the hash of the block. */
  hash: Uint8Array;
  indexHash: Uint8Array;
  height: bigint;
  /** Unix seconds. */
  time: bigint;
};

export type BlockProposal = {
  block: ProposedBlock;
  burnHeight: number;
  cycle: number;
};

/** Proposal data that are looked for from the end; they hold a version text and some 80 bytes. */
const MAX_DATA = 4_096;
const U31 = 0x7fff_ffff;

/** Reads the header of a Nakamoto block and computes its hashes. */
export function readProposedBlock(reader: Reader): ProposedBlock {
  const header = readNakamotoHeader(reader);
  const hash = nakamotoBlockHash(header);
  return { hash, indexHash: blockId(hash, header.consensusHash), height: header.chainLength, time: header.timestamp };
}

/**
 * Reads a proposal. The two numbers after the transactions are found from the end of the message, so that a transaction of an
 * unknown format does not matter; transactions are parsed only if the end can be read in more than one way.
 */
export function readProposal(reader: Reader): BlockProposal {
  const block = readProposedBlock(reader);
  const found = numbersBeforeEnd(reader.bytes, reader.offset);
  if (found.length === 1) return { block, ...found[0]! };
  for (let left = reader.count(1); left > 0; left--) readTransaction(reader);
  const numbers = numbersAt(reader.bytes, reader.offset);
  if (!numbers) throw new CodecError('no burn height and cycle after the transactions', reader.offset);
  return { block, ...numbers };
}

type Numbers = { burnHeight: number; cycle: number };

/** Every way to read the end of a message: without proposal data, or with data whose length leads exactly to the end. */
function numbersBeforeEnd(bytes: Uint8Array, start: number): Numbers[] {
  const found: Numbers[] = [];
  const add = (at: number) => {
    const numbers = at >= start + 4 ? numbersAt(bytes, at) : undefined;
    if (numbers) found.push(numbers);
  };
  add(bytes.length - 16);
  const most = Math.min(MAX_DATA, bytes.length - start - 25);
  for (let size = 4; size <= most; size++) {
    const at = bytes.length - size;
    // Data begin with a text, and their version is small.
    if (readU32(bytes, at - 4) !== size || readU32(bytes, at) > size - 4) continue;
    if (bytes[at - 5]! === 0 || bytes[at - 5]! > 0x7f) continue;
    add(at - 21);
  }
  return found;
}

/** Burn height and cycle at a position; undefined if they are too large to be true. */
function numbersAt(bytes: Uint8Array, at: number): Numbers | undefined {
  if (at + 16 > bytes.length) return undefined;
  const [burnHeight, cycle] = [readU32(bytes, at + 4), readU32(bytes, at + 12)];
  const small = readU32(bytes, at) === 0 && readU32(bytes, at + 8) === 0;
  return small && burnHeight <= U31 && cycle <= burnHeight ? { burnHeight, cycle } : undefined;
}
