import { encodeNakamotoBlock, type NakamotoHeader, nakamotoBlockHash } from '@cairn-stacks/codec/block/nakamoto-block';
import { CodecError } from '@cairn-stacks/codec/error';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { encodePreCommit, encodeProposal, encodePush, encodeResponse } from '@cairn-stacks/codec/signer-message/encode';
import { rejectReasonName, validationCodeName } from '@cairn-stacks/codec/signer-message/reject-codes';
import { decodeSignerMessage } from '@cairn-stacks/codec/signer-message/signer-message';
import { decodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { blockBytes } from '@cairn-stacks/devnet/chain/stored/block-record';
import { expect, test } from 'vitest';
import { testChain } from '../support/chain.ts';

const chain = testChain();
const blocks = [chain.mine(chain.genesis, { transactions: 3 })];
for (let i = 0; i < 8; i++) blocks.push(chain.mine(blocks.at(-1), { transactions: i }));
const block = blocks.at(-1)!;
const bytes = blockBytes(block)!;
const hash = fromHex(block.hash);
const signature = Uint8Array.from({ length: 65 }, (_, i) => i);
const version = 'stacks-signer 3.1.0 (0123abc, release build, linux [x86_64])';

test('a proposal has the hashes of its block, and burn height and cycle from the end of the message', () => {
  for (const each of blocks) {
    for (const text of [undefined, version, '']) {
      const message = decodeSignerMessage(encodeProposal(blockBytes(each)!, 871_234, 98, text));
      expect(message).toMatchObject({ type: 'proposal', burnHeight: 871_234, cycle: 98 });
      if (message.type !== 'proposal') throw new Error();
      expect([toHex(message.block.hash), toHex(message.block.indexHash)]).toEqual([each.hash, each.indexHash]);
      expect([message.block.height, message.block.time]).toEqual([BigInt(each.height), each.header!.timestamp]);
    }
  }
});

test('a transaction of an unknown format does not hide burn height and cycle', () => {
  const header = { ...block.header!, signerSignatures: [] };
  const end = encodeProposal(new Uint8Array(0), 871_234, 98, version).subarray(1);
  const message = Buffer.concat([Uint8Array.of(0), encodeHeader(header), Uint8Array.of(0, 0, 0, 1, 0xee, 0xee), end]);
  expect(decodeSignerMessage(message)).toMatchObject({ type: 'proposal', burnHeight: 871_234, cycle: 98 });
});

test('where a transaction looks like the end of a message, transactions are parsed', () => {
  const header = { ...block.header!, signerSignatures: [] };
  const end = encodeProposal(new Uint8Array(0), 871_234, 98, version).subarray(1);
  // The last bytes of a contract: two numbers, and data whose length leads exactly to the end of the message.
  const fake = (length: number) =>
    Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 7, 1]), u32(length), u32(0)]);
  const transfer = block.transactions.find(({ raw }) => raw !== '0x00')!;
  const base = decodeTransaction(fromHex(transfer.raw));
  const transaction = {
    ...base,
    payload: { type: 'smart_contract' as const, name: 'a', source: fake(end.length + 4) },
  };
  const whole = encodeNakamotoBlock({ header, transactions: [{ bytes: new Uint8Array(0), transaction }] });
  const message = Buffer.concat([Uint8Array.of(0), whole, end]);
  expect(decodeSignerMessage(message)).toMatchObject({ type: 'proposal', burnHeight: 871_234, cycle: 98 });
});

test('a push has the hash of its block, whatever signatures it carries', () => {
  const message = decodeSignerMessage(encodePush(bytes));
  if (message.type !== 'push') throw new Error();
  expect(toHex(message.block.hash)).toBe(block.hash);
  expect(nakamotoBlockHash(block.header!)).toEqual(message.block.hash);
});

test('responses are read with their reasons, versions and signatures', () => {
  const accepted = { accepted: true, hash, signature, version };
  expect(decodeSignerMessage(encodeResponse(accepted))).toEqual({ type: 'response', ...accepted });
  const rejection = { text: 'no', reason: { code: 4 }, detail: { code: 6 } };
  const rejected = { accepted: false, hash, signature, version, rejection };
  expect(decodeSignerMessage(encodeResponse(rejected))).toEqual({ type: 'response', ...rejected });
  const invalid = {
    ...rejected,
    rejection: { text: 'no', reason: { code: 0, validation: 1 }, detail: { code: 0, validation: 12 } },
  };
  expect(decodeSignerMessage(encodeResponse(invalid))).toEqual({ type: 'response', ...invalid });
  expect([4, 6, 0, 200].map(rejectReasonName)).toEqual([
    'SortitionViewMismatch',
    'ReorgNotAllowed',
    'ValidationFailed',
    'Unknown',
  ]);
  expect([0, 12, 99].map(validationCodeName)).toEqual(['BadBlockHash', 'ProblematicTransaction', 'Unknown']);
});

test('old responses end after the signature or the version', () => {
  const old = Buffer.concat([Uint8Array.of(1, 0), hash, signature]);
  expect(decodeSignerMessage(old)).toEqual({ type: 'response', accepted: true, hash, signature, version: '' });
  const versioned = Buffer.concat([old, u32(3), Buffer.from('1.0')]);
  expect(decodeSignerMessage(versioned)).toMatchObject({ version: '1.0' });
});

test('other types are named, unknown ones are not fatal, and broken bytes are', () => {
  expect(decodeSignerMessage(encodePreCommit(hash))).toEqual({ type: 'other', code: 7 });
  expect(decodeSignerMessage(Uint8Array.of(6, 1, 2))).toEqual({ type: 'other', code: 6 });
  expect(decodeSignerMessage(Uint8Array.of(42))).toEqual({ type: 'unknown', code: 42 });
  for (const broken of [[], [0, 1], [1], [1, 2], [1, 1, 255, 255, 255, 255], [2]]) {
    expect(() => decodeSignerMessage(Uint8Array.from(broken))).toThrow(CodecError);
  }
});

function encodeHeader(header: NakamotoHeader): Uint8Array {
  return encodeNakamotoBlock({ header, transactions: [] }).subarray(0, -4);
}

const u32 = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map(byte => byte & 0xff));
