import { isDeepStrictEqual } from 'node:util';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import {
  decodeTransaction,
  encodeTransaction,
  type Transaction,
  transactionId,
} from '@cairn-stacks/codec/transaction/transaction';
import { decodeTransaction as decodeNative } from '@hirosystems/stacks-encoding-native-js';
import { deserializeTransaction } from '@stacks/transactions';
import { describe, expect, test } from 'vitest';
import { needRecording } from '../support/recordings.ts';
import { readDatasets } from './datasets.ts';
import * as generate from './generate.ts';
import { nativeView } from './native-view.ts';
import { Random } from './random.ts';
import { stacksChangesTransaction } from './stacks-differences.ts';

/** `vitest.config.ts` says how many each tier takes. */
const COUNT = Math.min(10_000, Number(process.env.CODEC_FUZZ ?? 10_000));
const random = new Random(20240815);
const generated = Array.from({ length: COUNT }, () => {
  const transaction = generate.transaction(random);
  return { transaction, bytes: encodeTransaction(transaction) };
});
const recorded = [...readDatasets().transactions.keys()].map(raw => {
  const bytes = fromHex(raw);
  return { transaction: decodeTransaction(bytes), bytes };
});

describe('generated transactions', () => {
  test('cover every payload, hash mode, mode and condition', () => {
    const seen = new Set<string>();
    for (const { transaction: t } of generated) {
      seen.add(t.payload.type).add(t.auth.type).add(t.anchorMode).add(t.postConditionMode);
      seen.add(`origin ${t.auth.origin.hashMode}`).add(`sponsor ${t.auth.sponsor?.hashMode}`);
      for (const p of t.postConditions) seen.add(`${p.type} ${p.principal.type} ${p.condition}`);
      if (t.payload.type === 'tenure_change') seen.add(`cause ${t.payload.cause}`);
      if (t.payload.type === 'versioned_smart_contract') seen.add(`clarity ${t.payload.clarityVersion}`);
    }
    // 9 payloads, 2 authorizations, 3 + 3 modes, 6 origins, 7 sponsors, 63 conditions, 7 causes, 6 versions.
    expect(seen.size).toBe(9 + 2 + 3 + 3 + 6 + 7 + 3 * (5 + 5 + 3 + 5 + 3) + 7 + 6);
  });

  test('decode to what they were made from, and encode to the same bytes', () => {
    for (const { transaction, bytes } of generated) {
      const decoded = decodeTransaction(bytes);
      // The runtime's comparison: the one of the test runner takes a hundred times as long on bytes.
      if (!isDeepStrictEqual(decoded, transaction)) expect(decoded).toEqual(transaction);
      expect(Buffer.from(encodeTransaction(decoded)).equals(bytes)).toBe(true);
    }
  });
});

describe('parity with the native codec', () => {
  /** What it cannot read: all of it newer than its release. */
  const refused = (t: Transaction) =>
    t.postConditionMode === 'originator' || // SIP-040
    t.postConditions.some(p => p.type === 'staking' || p.type === 'pox') || // SIP-044
    t.postConditions.some(p => p.condition === 'maybe_sent') || // SIP-040
    (t.payload.type === 'versioned_smart_contract' && t.payload.clarityVersion > 4); // Clarity 5 and 6

  test.for([
    ['generated', generated, COUNT * 0.3],
    ['recorded', recorded, 100],
  ] as const)('every field of each %s transaction', ([kind, transactions, atLeast], t) => {
    if (kind === 'recorded') needRecording(t);
    let compared = 0;
    for (const { transaction, bytes } of transactions) {
      if (refused(transaction)) continue;
      const [theirs, ours] = [decodeNative(toHex(bytes)), nativeView(transaction)];
      if (!isDeepStrictEqual(theirs, ours)) expect(theirs).toEqual(ours);
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(atLeast);
  });
});

describe('parity with @stacks/transactions', () => {
  test.for([
    ['generated', generated, COUNT * 0.7],
    ['recorded', recorded, 100],
  ] as const)('bytes and id of each %s transaction', ([kind, transactions, atLeast], t) => {
    if (kind === 'recorded') needRecording(t);
    let compared = 0;
    for (const { transaction, bytes } of transactions) {
      if (stacksChangesTransaction(transaction)) continue;
      const theirs = deserializeTransaction(bytes);
      expect(`0x${theirs.serialize()}`).toBe(toHex(bytes));
      expect(`0x${theirs.txid()}`).toBe(toHex(transactionId(bytes)));
      expect(theirs.auth.spendingCondition.nonce).toBe(transaction.auth.origin.nonce);
      expect(theirs.auth.spendingCondition.fee).toBe(transaction.auth.origin.fee);
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(atLeast);
  });
});
