import { decodeClarityValueToRepr, decodeTransaction as decodeNative } from '@hirosystems/stacks-encoding-native-js';
import { describe, expect, test } from 'vitest';
import { encodeClarity } from '../../src/codec/clarity/encode.ts';
import { reprClarity } from '../../src/codec/clarity/repr.ts';
import { decodeClarity } from '../../src/codec/clarity/value.ts';
import { fromHex, toHex } from '../../src/codec/hex.ts';
import {
  decodeTransaction,
  encodeTransaction,
  senderAddress,
  transactionId,
} from '../../src/codec/transaction/transaction.ts';
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
