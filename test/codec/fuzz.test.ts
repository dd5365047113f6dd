import { bitcoinToPoxAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { parseAssetId, parsePrincipal, principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { decodeBitVector } from '@cairn-stacks/codec/block/bit-vector';
import { decodeBlockHeader } from '@cairn-stacks/codec/block/block-header';
import { decodeMicroblockHeader } from '@cairn-stacks/codec/block/microblock-header';
import { decodeNakamotoBlock, encodeNakamotoBlock } from '@cairn-stacks/codec/block/nakamoto-block';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { reprClarity } from '@cairn-stacks/codec/clarity/repr';
import { skipClarity } from '@cairn-stacks/codec/clarity/skip';
import { typeOfClarity } from '@cairn-stacks/codec/clarity/type';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError } from '@cairn-stacks/codec/error';
import { Reader } from '@cairn-stacks/codec/reader';
import { decodeTransaction, encodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { expect, test } from 'vitest';
import { historyTimeout } from '../support/seed.ts';
import * as generate from './generate.ts';
import { Random } from './random.ts';

/** `vitest.config.ts` says how many each tier tries; CODEC_FUZZ=1000000 runs the full count. */
const COUNT = Number(process.env.CODEC_FUZZ ?? 20_000);
const SEED = Number(process.env.CODEC_FUZZ_SEED ?? 1);

/** Runs a decoder: a value, or a CodecError within the input, and nothing else. */
function attempt<T>(decode: () => T, length: number): T | CodecError {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    if (!(error.offset >= 0 && error.offset <= length))
      throw new Error(`offset outside of the input: ${error.message}`);
    return error;
  }
}

/** Valid bytes with a few changed, cut, doubled or put in; or noise. */
function mutate(random: Random, valid: Uint8Array): Uint8Array {
  const bytes = [...valid];
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const at = random.below(bytes.length + 1);
    switch (random.below(7)) {
      case 0:
        bytes.length = at;
        break;
      case 1:
        bytes.splice(at, random.below(8));
        break;
      case 2:
        bytes.splice(at, 0, ...random.bytes(random.below(8)));
        break;
      case 3:
        bytes.splice(at, 0, ...bytes.slice(at, at + random.below(40)));
        break;
      case 4:
        bytes.splice(at, 4, 0xff, 0xff, 0xff, 0xff);
        break;
      case 5:
        bytes.splice(at, 1, random.below(16));
        break;
      default:
        if (at < bytes.length) bytes[at] = bytes[at]! ^ (1 << random.below(8));
    }
  }
  return Uint8Array.from(bytes);
}

test(`any of ${COUNT} byte strings gives a value or a CodecError`, { timeout: historyTimeout }, () => {
  const random = new Random(SEED);
  const counts = { values: 0, transactions: 0, refused: 0 };
  for (let i = 0; i < COUNT; i++) {
    if (i % 2 === 0) fuzzValue(random, counts);
    else fuzzTransaction(random, counts);
  }
  // Mutations that survive show that the fuzzer reaches beyond the first bytes.
  expect(counts.values).toBeGreaterThan(COUNT / 50);
  expect(counts.transactions).toBeGreaterThan(COUNT / 50);
  if (COUNT > 100_000) console.log(counts);
});

type Counts = { values: number; transactions: number; refused: number };

function fuzzValue(random: Random, counts: Counts): void {
  const valid = random.chance(10) ? random.bytes(random.below(60)) : encodeClarity(generate.clarityValue(random, 4));
  const bytes = mutate(random, valid);
  const value = attempt(() => decodeClarity(bytes), bytes.length);
  const text = attempt(() => reprClarity(bytes), bytes.length);
  const skipped = attempt(() => {
    const reader = new Reader(bytes);
    skipClarity(reader);
    reader.end();
  }, bytes.length);
  if (value instanceof CodecError) {
    counts.refused++;
    if (!(text instanceof CodecError && skipped instanceof CodecError)) throw new Error(`accepted by one: ${value}`);
    // All three stop at the same byte for the same reason; only a repeated key is noticed later by the other two.
    if (value.message.includes('repeated')) return;
    if (text.message !== value.message) throw new Error(`${text}, not ${value}`);
    if (skipped.message !== value.message) throw new Error(`${skipped}, not ${value}`);
    return;
  }
  counts.values++;
  if (text instanceof CodecError) throw text;
  if (skipped instanceof CodecError) throw skipped;
  typeOfClarity(bytes);
  if (!Buffer.from(encodeClarity(value)).equals(bytes))
    throw new Error(`not exact: ${Buffer.from(bytes).toString('hex')}`);
}

function fuzzTransaction(random: Random, counts: Counts): void {
  const valid = random.chance(10) ? random.bytes(random.below(400)) : encodeTransaction(generate.transaction(random));
  const bytes = mutate(random, valid);
  const transaction = attempt(() => decodeTransaction(bytes), bytes.length);
  if (transaction instanceof CodecError) {
    counts.refused++;
    return;
  }
  counts.transactions++;
  if (!Buffer.from(encodeTransaction(transaction)).equals(bytes)) {
    throw new Error(`not exact: ${Buffer.from(bytes).toString('hex')}`);
  }
}

test('headers, blocks, bit vectors and principals give a value or a CodecError', () => {
  const random = new Random(SEED + 1);
  for (let i = 0; i < 5000; i++) {
    const bytes = random.bytes(random.below(400));
    if (random.chance(2)) bytes.fill(0, random.below(bytes.length + 1));
    attempt(() => decodeBlockHeader(bytes), bytes.length);
    attempt(() => decodeMicroblockHeader(bytes), bytes.length);
    attempt(() => decodeBitVector(bytes), bytes.length);
    attempt(() => principalFromBytes(bytes), bytes.length);
    const block = attempt(() => decodeNakamotoBlock(bytes), bytes.length);
    if (!(block instanceof CodecError) && !Buffer.from(encodeNakamotoBlock(block)).equals(bytes)) {
      throw new Error(`not exact: ${Buffer.from(bytes).toString('hex')}`);
    }
  }
});

test('any text gives a principal, an asset or a Bitcoin address, or a CodecError', () => {
  const random = new Random(SEED + 2);
  const digits = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstuvwxyz.:-_é1\ud800'];
  const seeds = [
    'SP000000000000000000002Q6VF78.pox::a',
    '1111111111111111111114oLvT2',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ];
  for (let i = 0; i < 5000; i++) {
    const characters = random.chance(2) ? [...random.pick(seeds)] : [];
    const changes = 1 + random.below(characters.length === 0 ? 60 : 3);
    for (let c = 0; c < changes; c++) {
      characters.splice(random.below(characters.length + 1), random.below(2), random.pick(digits));
    }
    const text = characters.join('');
    attempt(() => parsePrincipal(text), text.length);
    attempt(() => parseAssetId(text), text.length);
    attempt(() => bitcoinToPoxAddress(text), text.length);
  }
});
