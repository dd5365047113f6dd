import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { reprClarity } from '@cairn-stacks/codec/clarity/repr';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import {
  decodeTransaction,
  encodeTransaction,
  senderAddress,
  transactionId,
} from '@cairn-stacks/codec/transaction/transaction';
import { decodeClarityValueToRepr, decodeTransaction as decodeNative } from '@hirosystems/stacks-encoding-native-js';
import { describe, expect, test } from 'vitest';
import { needRecordings } from '../support/recordings.ts';
import { readDatasets } from './datasets.ts';

describe('recorded chains', () => {
  needRecordings();
  const { transactions, values } = readDatasets();

  test('every transaction decodes, keeps its id and encodes to the same bytes', () => {
    expect(transactions.size).toBeGreaterThan(100);
    for (const [raw, txid] of transactions) {
      const bytes = fromHex(raw);
      const transaction = decodeTransaction(bytes);
      const native = decodeNative(raw);
      if (txid !== undefined) expect(toHex(transactionId(bytes))).toBe(txid);
      expect(senderAddress(transaction)).toBe(native.auth.origin_condition.signer.address);
      expect(toHex(encodeTransaction(transaction))).toBe(raw);
    }
  });

  test('every value decodes, encodes to the same bytes and has the same text', () => {
    expect(values.size).toBeGreaterThan(80);
    for (const raw of values) {
      const bytes = fromHex(raw);
      expect(toHex(encodeClarity(decodeClarity(bytes)))).toBe(raw);
      expect(reprClarity(bytes)).toBe(decodeClarityValueToRepr(raw));
    }
  });
});
