import { expect, test } from 'vitest';
import {
  diagnoseDropped,
  diagnoseMined,
  diagnosePending,
  type PendingFacts,
} from '../../src/chain/mempool/diagnosis.ts';
import { expiry } from '../../src/chain/mempool/mempool.ts';

const fine: PendingFacts = {
  txId: '0x01',
  parties: [{ address: 'ST1', nonce: 4, next: 4, pending: [], available: 10n, needed: 10n }],
  feePercentile: 25,
  left: { seconds: expiry.seconds },
  unreported: false,
  minerOnly: false,
};
const codes = (facts: Partial<PendingFacts>) => diagnosePending({ ...fine, ...facts }).map(({ code }) => code);

test('each fact alone has its code', () => {
  expect(codes({})).toEqual(['ready']);
  expect(codes({ feePercentile: 24 })).toEqual(['fee_low']);
  expect(codes({ feePercentile: undefined })).toEqual(['ready']);
  expect(codes({ left: { tenures: 20 } })).toEqual(['expires_soon']);
  expect(codes({ left: { tenures: 200 } })).toEqual(['ready']);
  expect(codes({ unreported: true })).toEqual(['awaiting_node_report']);
  expect(codes({ minerOnly: true, unreported: true })).toEqual(['miner_only']);
  expect(codes({ parties: [{ ...fine.parties[0]!, needed: 11n }] })).toEqual(['balance_too_small']);
});

test('what blocks comes first, and a long gap is cut short', () => {
  const gap = { ...fine.parties[0]!, nonce: 1_000_000 };
  const reasons = diagnosePending({ ...fine, feePercentile: 0, parties: [gap] });
  expect(reasons.map(({ code }) => code)).toEqual(['nonce_gap', 'chain_too_long', 'fee_low']);
  expect(reasons[0]!.nonces).toHaveLength(100);
  expect(reasons[0]!.message).toContain('4, 5, 6, 7, 8 and 95 more');
});

test('outcomes of mined ones are told with what the machine said', () => {
  const of = (status: string, canonical = true) => diagnoseMined(status, canonical, 'Runtime error');
  expect(of('success')).toMatchObject({ code: 'succeeded' });
  expect(of('abort_by_response')).toMatchObject({ code: 'aborted_by_response' });
  expect(of('abort_by_post_condition').code).toBe('aborted_by_post_condition');
  expect(of('problematic_skipped').message).toContain('Runtime error');
  expect(of('something_new')).toMatchObject({ code: 'failed' });
  expect(of('success', false)).toMatchObject({ code: 'orphaned', blocking: true });
});

test('every way out of the mempool has words', () => {
  const of = (status: string) => diagnoseDropped(status, undefined).code;
  expect(of('dropped_replace_by_fee')).toBe('replaced');
  expect(of('dropped_replace_across_fork')).toBe('replaced');
  expect(of('dropped_too_expensive')).toBe('too_expensive');
  expect(of('dropped_stale_garbage_collect')).toBe('expired');
  expect(of('dropped_problematic')).toBe('problematic');
  expect(of('dropped_something_new')).toBe('dropped');
  expect(diagnoseDropped('dropped_replace_by_fee', '0x02').txIds).toEqual(['0x02']);
});
