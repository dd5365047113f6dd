import { sha512_256 } from '#hash';
import { Reader } from '../reader.ts';
import { Writer } from '../writer.ts';

/** The header of an anchored block of epochs 2.x (SIP-005). */
export type BlockHeader = {
  version: number;
  burn: bigint;
  work: bigint;
  vrfProof: Uint8Array;
  parentBlockHash: Uint8Array;
  parentMicroblockHash: Uint8Array;
  parentMicroblockSequence: number;
  transactionMerkleRoot: Uint8Array;
  stateRoot: Uint8Array;
  microblockPublicKeyHash: Uint8Array;
};

/** Decodes exactly one header of epochs 2.x. */
export function decodeBlockHeader(bytes: Uint8Array): BlockHeader {
  const reader = new Reader(bytes);
  const header = readBlockHeader(reader);
  reader.end();
  return header;
}

/** Reads a header of epochs 2.x and stops after it. */
export function readBlockHeader(reader: Reader): BlockHeader {
  return {
    version: reader.u8(),
    burn: reader.u64(),
    work: reader.u64(),
    vrfProof: reader.take(80),
    parentBlockHash: reader.take(32),
    parentMicroblockHash: reader.take(32),
    parentMicroblockSequence: reader.u16(),
    transactionMerkleRoot: reader.take(32),
    stateRoot: reader.take(32),
    microblockPublicKeyHash: reader.take(20),
  };
}

/** The bytes of a header of epochs 2.x. */
export function encodeBlockHeader(header: BlockHeader): Uint8Array {
  return new Writer(247)
    .u8(header.version)
    .u64(header.burn)
    .u64(header.work)
    .fixed(header.vrfProof, 80)
    .fixed(header.parentBlockHash, 32)
    .fixed(header.parentMicroblockHash, 32)
    .u16(header.parentMicroblockSequence)
    .fixed(header.transactionMerkleRoot, 32)
    .fixed(header.stateRoot, 32)
    .fixed(header.microblockPublicKeyHash, 20)
    .finish();
}

/** The hash of a block of epochs 2.x: that of its header. */
export function blockHash(header: BlockHeader): Uint8Array {
  return sha512_256(encodeBlockHeader(header));
}

/** The id of a block of any epoch, also called index block hash: its hash with that of its sortition. */
export function blockId(hash: Uint8Array, consensusHash: Uint8Array): Uint8Array {
  return sha512_256(new Writer(52).fixed(hash, 32).fixed(consensusHash, 20).finish());
}
