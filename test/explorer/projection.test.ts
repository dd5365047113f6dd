import type { AbiFunction } from '@cairn-stacks/codec/clarity/abi';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { standardsOf } from '../../explorer/contract/standards.ts';
import { perBlockOf, projectBlocks } from '../../explorer/mempool/projected.ts';
import { answersOf, signerIn, signerKey } from '../../explorer/words/signer.ts';

const tx = (sender_address: string, nonce: number, fee: number) => ({
  ...{ tx_id: `${sender_address}${nonce}`, sender_address, nonce, fee_rate: String(fee) },
});
const idsOf = (blocks: { transactions: { tx_id: string }[] }[]) =>
  blocks.map(({ transactions }) => transactions.map(({ tx_id }) => tx_id));

test('the next blocks take the highest fees first, and of a sender in the order of the nonces', () => {
  const waiting = [tx('a', 2, 900), tx('b', 7, 50), tx('a', 1, 10), tx('c', 0, 20), tx('d', 0, 5)];
  const blocks = projectBlocks(waiting, 2, 3);
  expect(idsOf(blocks)).toEqual([['b7', 'c0'], ['a1', 'a2'], ['d0']]);
  expect(blocks[1]).toMatchObject({ lowest: 10n, highest: 900n, total: 910n });
  expect(idsOf(projectBlocks(waiting, 2, 1))).toEqual([['b7', 'c0']]);
  expect(projectBlocks([], 2, 3)).toEqual([]);
});

test('projected blocks hold every transaction once, each after those before it of its sender', () => {
  const waiting = fc.uniqueArray(
    fc.record({ sender: fc.constantFrom('a', 'b', 'c'), nonce: fc.nat(8), fee: fc.nat(5) }),
    { selector: ({ sender, nonce }) => `${sender}${nonce}`, maxLength: 27 },
  );
  fc.assert(
    fc.property(waiting, fc.integer({ min: 1, max: 6 }), (drawn, perBlock) => {
      const all = drawn.map(({ sender, nonce, fee }) => tx(sender, nonce, fee));
      const blocks = projectBlocks(all, perBlock, 100);
      const order = blocks.flatMap(({ transactions }) => transactions);
      expect(order.map(each => each.tx_id).sort()).toEqual(all.map(each => each.tx_id).sort());
      for (const sender of ['a', 'b', 'c']) {
        const nonces = order.filter(each => each.sender_address === sender).map(each => each.nonce);
        expect(nonces).toEqual([...nonces].sort((x, y) => x - y));
      }
      expect(blocks.slice(0, -1).every(({ transactions }) => transactions.length === perBlock)).toBe(true);
    }),
  );
});

test('a block is taken to be as full as the last ones, without those that a fork removed', () => {
  const block = (transactions: number, canonical = true) => ({ transactions, canonical });
  expect(perBlockOf([block(3), block(6), block(100, false)])).toBe(5);
  expect(perBlockOf([...Array.from({ length: 20 }, () => block(4)), block(400)])).toBe(4);
  expect(perBlockOf([block(0)])).toBe(1);
  expect(perBlockOf([])).toBe(1);
});

const key = `0x02${'ab'.repeat(32)}`;
const signer = {
  ...{ signing_key: key, signer_address: 'ST1', weight: 1, stacked_amount: '1', weight_percent: 1 },
  ...{ stacked_amount_percent: 1, solo_stacker_count: 1, pooled_stacker_count: 0 },
};

test('a signer is found by its key, however it is written, and by its address', () => {
  expect(signerKey(key.slice(2).toUpperCase())).toBe(key);
  for (const wrong of ['', 'ST1', '0xab', `${key}ab`]) expect(signerKey(wrong)).toBeUndefined();
  for (const text of [key, key.slice(2), 'ST1']) expect(signerIn([signer], text)).toBe(signer);
  expect(signerIn([signer], 'ST2')).toBeUndefined();
});

test('answers of a signer are shares of all proposals, and unknown where none was recorded', () => {
  const metrics = {
    ...{ signer_key: key, slot_index: 0, weight: 1, weight_percentage: 1, stacked_amount: '1' },
    ...{ stacked_amount_percent: 1, stacked_amount_rank: 1, last_seen: null, version: null },
    ...{ proposals_accepted_count: 3, proposals_rejected_count: 0, proposals_missed_count: 1 },
    average_response_time_ms: 5,
  };
  expect(answersOf(metrics)?.map(({ count, percent }) => [count, percent])).toEqual([
    [3, 75],
    [0, 0],
    [1, 25],
  ]);
  expect(answersOf({ ...metrics, proposals_missed_count: null })).toBeUndefined();
});

const named = (functions: Record<string, number>, access = 'public') =>
  Object.entries(functions).map(([name, count]) => ({
    ...{ name, access, outputs: { type: 'bool' } },
    args: Array.from({ length: count }, (_, i) => ({ name: `a${i}`, type: 'uint128' })),
  })) as AbiFunction[];

test('a contract follows a standard if it has all its functions with their arguments, for anybody', () => {
  const nft = { transfer: 3, 'get-owner': 1, 'get-last-token-id': 0, 'get-token-uri': 1, more: 2 };
  const namesOf = (functions: AbiFunction[]) => standardsOf(functions).map(({ name }) => name);
  expect(namesOf(named(nft))).toEqual(['SIP-009']);
  expect(namesOf(named({ ...nft, transfer: 4 }))).toEqual([]);
  expect(namesOf(named(nft, 'private'))).toEqual([]);
  const ft = {
    transfer: 4,
    'get-name': 0,
    'get-symbol': 0,
    'get-decimals': 0,
    'get-balance': 1,
    'get-total-supply': 0,
  };
  expect(namesOf(named({ ...ft, 'get-token-uri': 0 }))).toEqual(['SIP-010']);
  expect(namesOf(named(ft))).toEqual([]);
});
