import { bitAt, decodeBitVector, formatBits } from '@cairn-stacks/codec/block/bit-vector';
import { blockHash, blockId, decodeBlockHeader, encodeBlockHeader } from '@cairn-stacks/codec/block/block-header';
import {
  decodeMicroblockHeader,
  encodeMicroblockHeader,
  microblockHash,
} from '@cairn-stacks/codec/block/microblock-header';
import {
  decodeNakamotoBlock,
  decodeNakamotoHeader,
  encodeNakamotoBlock,
  encodeNakamotoHeader,
  minerSighash,
  type NakamotoHeader,
  nakamotoBlockHash,
  nakamotoBlockId,
} from '@cairn-stacks/codec/block/nakamoto-block';
import { CodecError } from '@cairn-stacks/codec/error';
import { sha512_256 } from '@cairn-stacks/codec/hash';
import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { decodeTransaction, encodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { describe, expect, test } from 'vitest';
import { needRecording } from '../support/recordings.ts';
import { readNewBlocks } from './datasets.ts';
import * as generate from './generate.ts';
import { Random } from './random.ts';

const random = new Random(12);

function header(version: number): NakamotoHeader {
  return {
    version,
    chainLength: random.bits(64n),
    burnSpent: random.bits(64n),
    consensusHash: random.bytes(20),
    parentBlockId: random.bytes(32),
    transactionMerkleRoot: random.bytes(32),
    stateRoot: random.bytes(32),
    timestamp: random.bits(64n),
    minerSignature: random.bytes(65),
    signerSignatures: Array.from({ length: random.below(4) }, () => random.bytes(65)),
    poxTreatment: { length: 12, bytes: random.bytes(2) },
    problematicTransactions: (version & 0x7f) === 0 ? [] : [{ index: random.u32(), category: random.below(256) }],
  };
}

describe('Nakamoto headers', () => {
  test.each([0, 1, 0x80, 0x81])('of version %i survive both ways', version => {
    for (let i = 0; i < 50; i++) {
      const made = header(version);
      const bytes = encodeNakamotoHeader(made);
      expect(decodeNakamotoHeader(bytes)).toEqual(made);
      expect(() => decodeNakamotoHeader(bytes.subarray(0, -1))).toThrow(CodecError);
    }
  });

  test('hash the parts that are signed, in order', () => {
    for (const version of [0, 1]) {
      const made = header(version);
      const bytes = encodeNakamotoHeader(made);
      const fixed = 1 + 8 + 8 + 20 + 32 + 32 + 32 + 8;
      const tail = bytes.subarray(fixed + 65 + 4 + 65 * made.signerSignatures.length);
      // Version 1 signs its markers too, an empty list included (SIP-044).
      expect(tail.length).toBe(2 + 4 + 2 + (version === 0 ? 0 : 4 + 5));
      const forMiner = Uint8Array.of(...bytes.subarray(0, fixed), ...tail);
      const forSigners = Uint8Array.of(...bytes.subarray(0, fixed + 65), ...tail);
      expect(toHex(minerSighash(made))).toBe(toHex(sha512_256(forMiner)));
      expect(toHex(nakamotoBlockHash(made))).toBe(toHex(sha512_256(forSigners)));
      expect(toHex(nakamotoBlockId(made))).toBe(toHex(blockId(sha512_256(forSigners), made.consensusHash)));
    }
  });

  test('come with their transactions in a block', () => {
    const transactions = Array.from({ length: 5 }, () => {
      const transaction = generate.transaction(random);
      return { transaction, bytes: encodeTransaction(transaction) };
    });
    const bytes = encodeNakamotoBlock({ header: header(1), transactions });
    const decoded = decodeNakamotoBlock(bytes);
    expect(decoded.transactions.map(t => bareHex(t.bytes))).toEqual(transactions.map(t => bareHex(t.bytes)));
    expect(bareHex(encodeNakamotoBlock(decoded))).toBe(bareHex(bytes));
    expect(() => decodeNakamotoBlock(Uint8Array.of(...bytes, 0))).toThrow('left over');
  });
});

test('headers of epochs 2.x and of microblocks survive both ways and hash as a whole', () => {
  const block = random.bytes(247);
  expect(bareHex(encodeBlockHeader(decodeBlockHeader(block)))).toBe(bareHex(block));
  expect(bareHex(blockHash(decodeBlockHeader(block)))).toBe(bareHex(sha512_256(block)));
  const microblock = random.bytes(132);
  expect(bareHex(encodeMicroblockHeader(decodeMicroblockHeader(microblock)))).toBe(bareHex(microblock));
  expect(bareHex(microblockHash(decodeMicroblockHeader(microblock)))).toBe(bareHex(sha512_256(microblock)));
  expect(() => decodeBlockHeader(random.bytes(246))).toThrow(CodecError);
  expect(() => decodeMicroblockHeader(random.bytes(133))).toThrow(CodecError);
});

test('the id of the genesis block is the hash of 52 zeros', () => {
  expect(bareHex(blockId(new Uint8Array(32), new Uint8Array(20)))).toBe(bareHex(sha512_256(new Uint8Array(52))));
});

test('the id of each recorded block that names its sortition follows from it', t => {
  needRecording(t);
  let checked = 0;
  for (const block of readNewBlocks()) {
    for (const { raw_tx } of block.transactions) {
      if (raw_tx === '0x00') continue;
      const { payload } = decodeTransaction(fromHex(raw_tx));
      if (payload.type !== 'tenure_change') continue;
      expect(toHex(blockId(fromHex(block.block_hash), payload.tenureConsensusHash))).toBe(block.index_block_hash);
      checked++;
    }
  }
  expect(checked).toBeGreaterThan(0);
});

test('bit vectors count from the lowest bit', () => {
  const bits = decodeBitVector(fromHex('0006000000013f'));
  expect(formatBits(bits)).toBe('111111');
  expect(formatBits(decodeBitVector(fromHex('000a000000020102')))).toBe('1000000001');
  expect([bitAt(bits, 5), bitAt(bits, 6), bitAt(bits, -1)]).toEqual([true, false, false]);
  for (const hex of ['0006000000023f3f', '0006000000003f', '000600000001', '000900000001ff']) {
    expect(() => decodeBitVector(fromHex(hex))).toThrow(CodecError);
  }
});
