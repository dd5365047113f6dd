import { expect, test } from 'vitest';
import type { StakingPosition } from '../../src/chain/pox/staking-print.ts';
import { type RewardStep, rateOf, rewardPrecision, sumRewards } from '../../src/chain/pox/staking-rewards.ts';
import { cyclesOf, type StakingTerm, spansOf, termAfter } from '../../src/chain/pox/staking-term.ts';

const rate = (rewards: bigint, shares: bigint): RewardStep => ({ kind: 'rate', rate: rateOf(rewards, shares) });
const settlement: RewardStep = { kind: 'settlement' };

test('a rate is rounded down, and nobody is credited where there are no shares', () => {
  expect(rateOf(14n, 3n)).toBe(4_666_666_666_666_666_666n);
  expect(rateOf(1_000n, 0n)).toBe(0n);
});

test('rewards await the signer, are claimable after its claim, and then are claimed', () => {
  const steps = [rate(700n, 7n), settlement, { kind: 'claim', sats: 300n } as const, rate(70n, 7n)];
  expect(sumRewards(3n, [])).toEqual({
    shares: 3n,
    accrued: 0n,
    claimed: 0n,
    claimable: 0n,
    awaitingSigner: 0n,
    due: 0n,
  });
  expect(sumRewards(3n, steps.slice(0, 1))).toMatchObject({
    accrued: 300n,
    claimable: 0n,
    awaitingSigner: 300n,
    due: 300n,
  });
  expect(sumRewards(3n, steps.slice(0, 2))).toMatchObject({ accrued: 300n, claimable: 300n, awaitingSigner: 0n });
  expect(sumRewards(3n, steps.slice(0, 3))).toMatchObject({
    claimed: 300n,
    claimable: 0n,
    awaitingSigner: 0n,
    due: 0n,
  });
  expect(sumRewards(3n, steps)).toMatchObject({
    accrued: 330n,
    claimed: 300n,
    claimable: 0n,
    awaitingSigner: 30n,
    due: 30n,
  });
});

test('what was earned in a time of constant shares is rounded once, what is paid with each settlement', () => {
  // Two calculations of 0.6 satoshis each for the staker.
  const half = { kind: 'rate', rate: (rewardPrecision * 6n) / 10n } as const;
  expect(sumRewards(1n, [half, half])).toMatchObject({ accrued: 1n, awaitingSigner: 1n, due: 1n });
  const paid = sumRewards(1n, [half, settlement, { kind: 'claim', sats: 0n }, half, settlement]);
  expect(paid).toMatchObject({ accrued: 1n, claimed: 0n, claimable: 0n, due: 0n });
  // A change of the shares ends the time, and settles for both.
  expect(sumRewards(1n, [half, { kind: 'shares', shares: 2n }, half])).toMatchObject({
    ...{ shares: 2n, accrued: 1n, claimable: 0n, awaitingSigner: 1n, due: 1n },
  });
});

const print = (cause: StakingPosition['cause'], more: Partial<StakingPosition>): StakingPosition => ({
  ...{ kind: 'position', cause, staker: 'S', signer: 'M', bond: undefined, stx: 5n, sats: undefined, l1: false },
  ...{ firstCycle: undefined, unlockCycle: undefined, unlockHeight: undefined, cycles: undefined },
  ...more,
});
const at = (height: number) => ({ height, place: 0, index: 0 });

test('an update begins with the cycle after the one that runs, which its print does not name', () => {
  const update = print('stake-update', { unlockCycle: 12n, cycles: 4n });
  expect(cyclesOf(update)).toEqual({ first: 8, end: 12 });
  expect(cyclesOf(print('unstake', { unlockCycle: 8n }))).toEqual({ first: 8, end: 8 });
  expect(cyclesOf(print('update-bond-registration', { firstCycle: 7n, cycles: 5n }))).toEqual({ first: 7, end: 12 });
  expect(cyclesOf(print('unstake-sbtc', {}))).toBeUndefined();
  // Nothing lasts longer than the contract allows, whatever a print says.
  expect(cyclesOf(print('stake', { firstCycle: 1n, unlockCycle: 10n ** 30n }))).toEqual({ first: 1, end: 97 });
  expect(cyclesOf(print('stake', { signer: undefined, firstCycle: 1n, unlockCycle: 2n }))).toBeUndefined();
});

test('the cycles of a staker follow from its terms, and an update keeps the begin of the lock', () => {
  const steps = [
    print('stake', { firstCycle: 5n, unlockCycle: 9n, unlockHeight: 900n }),
    print('stake-update', { unlockCycle: 11n, cycles: 4n, unlockHeight: 1100n, stx: 7n }),
    print('unstake', { unlockCycle: 9n, unlockHeight: 900n }),
  ];
  const terms: StakingTerm[] = [];
  for (const [i, step] of steps.entries()) terms.push(termAfter(step, 1, at(10 + i), terms.at(-1))!);
  expect(terms.map(({ lock, startCycle }) => [lock.height, startCycle])).toEqual([
    [10, 5],
    [10, 5],
    [10, 5],
  ]);
  expect(spansOf(terms.slice(0, 2)).map(({ first, end, unlockCycle }) => [first, end, unlockCycle])).toEqual([
    [5, 7, 9],
    [7, 11, 11],
  ]);
  expect(spansOf(terms).map(({ first, end, unlockHeight }) => [first, end, unlockHeight])).toEqual([
    [5, 7, 900],
    [7, 9, 900],
  ]);
  // A lock that ends before it has begun leaves nothing.
  const early = termAfter(print('unstake', { unlockCycle: 5n }), 1, at(11), terms[0]);
  expect(spansOf([terms[0]!, early!])).toEqual([]);
});
