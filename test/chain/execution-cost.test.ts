import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packCost, unpackCost } from '../../src/chain/execution-cost.ts';

const whole = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const cost = fc.record({
  runtime: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  readCount: whole,
  readLength: whole,
  writeCount: whole,
  writeLength: whole,
});

test('a cost comes back as it was packed', () => {
  fc.assert(
    fc.property(cost, given => {
      expect(unpackCost(packCost(given))).toEqual({ ...given });
    }),
  );
});

test('no cost takes no bytes, a usual one less than half of fixed columns', () => {
  const zero = { runtime: 0n, readCount: 0, readLength: 0, writeCount: 0, writeLength: 0 };
  expect(packCost(zero)).toHaveLength(0);
  expect(unpackCost(new Uint8Array(0))).toEqual(zero);
  const call = { runtime: 381_500n, readCount: 12, readLength: 40_021, writeCount: 3, writeLength: 210 };
  expect(packCost(call)).toHaveLength(10);
});
