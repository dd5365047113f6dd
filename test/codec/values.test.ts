import { isDeepStrictEqual } from 'node:util';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { reprClarity } from '@cairn-stacks/codec/clarity/repr';
import { skipClarity } from '@cairn-stacks/codec/clarity/skip';
import { typeOfClarity } from '@cairn-stacks/codec/clarity/type';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import { Reader } from '@cairn-stacks/codec/reader';
import { decodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { decodeClarityValueToRepr, decodeClarityValueToTypeName } from '@hirosystems/stacks-encoding-native-js';
import { cvToString, deserializeCV, serializeCV } from '@stacks/transactions';
import { describe, expect, test } from 'vitest';
import { needRecordings } from '../support/recordings.ts';
import { readDatasets } from './datasets.ts';
import * as generate from './generate.ts';
import { Random } from './random.ts';
import { stacksChangesValue, stacksText } from './stacks-differences.ts';

type Sample = { value: ClarityValue; bytes: Uint8Array };

/** `vitest.config.ts` says how many each tier takes. */
const COUNT = Math.min(10_000, Number(process.env.CODEC_FUZZ ?? 10_000));
const random = new Random(771);
const generated: Sample[] = Array.from({ length: COUNT }, () => {
  const value = generate.clarityValue(random);
  return { value, bytes: encodeClarity(value) };
});
/** The native codec stops at 16 levels; the protocol, and we, at 32. */
const deep: Sample[] = Array.from({ length: 500 }, (_, i) => {
  const value = generate.nested(random, 1 + (i % 16));
  return { value, bytes: encodeClarity(value) };
});
const recorded: Sample[] = recordedValues().map(bytes => ({ value: decodeClarity(bytes), bytes }));

function recordedValues(): Uint8Array[] {
  const { transactions, values } = readDatasets();
  const found = [...values].map(fromHex);
  for (const raw of transactions.keys()) {
    const { payload, postConditions } = decodeTransaction(fromHex(raw));
    if (payload.type === 'contract_call') found.push(...payload.args);
    for (const condition of postConditions) if (condition.type === 'non_fungible') found.push(condition.value);
  }
  return found;
}

const groups: [string, Sample[]][] = [
  ['generated', generated],
  ['deeply nested', deep],
  ['recorded', recorded],
];

describe.each(groups)('%s values', (kind, samples) => {
  if (kind === 'recorded') needRecordings();

  test('are more than a hundred', () => expect(samples.length).toBeGreaterThan(100));

  test('decode to what they were made from, encode to the same bytes, and can be skipped', () => {
    for (const { value, bytes } of samples) {
      if (!isDeepStrictEqual(decodeClarity(bytes), value)) expect(decodeClarity(bytes)).toEqual(value);
      expect(bareHex(encodeClarity(value))).toBe(bareHex(bytes));
      const reader = new Reader(bytes);
      skipClarity(reader);
      expect(reader.offset).toBe(bytes.length);
    }
  });

  test('have the text and the type that the native codec gives them', () => {
    for (const { bytes } of samples) {
      const hex = bareHex(bytes);
      expect(reprClarity(bytes)).toBe(decodeClarityValueToRepr(hex));
      expect(typeOfClarity(bytes)).toBe(decodeClarityValueToTypeName(hex));
    }
  });

  test('come back from @stacks/transactions unchanged, and differ in text only as explained', () => {
    let compared = 0;
    for (const { value, bytes } of samples) {
      if (stacksChangesValue(value)) continue;
      const hex = bareHex(bytes);
      const theirs = deserializeCV(hex);
      expect(serializeCV(theirs)).toBe(hex);
      expect(cvToString(theirs)).toBe(stacksText(value));
      compared++;
    }
    expect(compared).toBeGreaterThan(samples.length / 2 - 1);
  });
});

test('a tuple out of order is shown and typed in order, but keeps its bytes', () => {
  const bytes = fromHex('0c00000003016203016104026162070d00000001ff');
  expect(reprClarity(bytes)).toBe(decodeClarityValueToRepr(bareHex(bytes)));
  expect(reprClarity(bytes)).toBe('(tuple (a false) (ab (ok "\\xff")) (b true))');
  expect(typeOfClarity(bytes)).toBe(decodeClarityValueToTypeName(bareHex(bytes)));
  expect(encodeClarity(decodeClarity(bytes))).toEqual(bytes);
});

test('values nest to 32 levels and no further', () => {
  for (let seed = 0; seed < 50; seed++) {
    const random = new Random(seed);
    const bytes = encodeClarity(generate.nested(random, 32));
    expect(encodeClarity(decodeClarity(bytes))).toEqual(bytes);
    expect(reprClarity(bytes)).toBe(cvToString(deserializeCV(bytes)));
    expect(() => encodeClarity(generate.nested(random, 33))).toThrow('nested deeper');
  }
});
