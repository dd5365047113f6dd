import { bool, buffer, list, none, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { expect, test } from 'vitest';
import { poxVersion } from '../../src/chain/pox/contract.ts';
import { readPoxPrint } from '../../src/chain/pox/print.ts';
import { lockupOutputs, readStakingPrint } from '../../src/chain/pox/staking-print.ts';
import { alice, bob, boot, cycles, poxPrint, rewardAddress, signerKey, stakingPrint } from '../support/pox-chain.ts';

const read = (...args: Parameters<typeof poxPrint>) => readPoxPrint(encodeClarity(poxPrint(...args)))!;
const readStaking = (topic: string, fields: Record<string, ClarityValue>) =>
  readStakingPrint(encodeClarity(stakingPrint(topic, fields)));

test('only the boot contracts are PoX contracts', () => {
  expect(['pox-2', 'pox-3', 'pox-4', 'pox-5'].map(name => poxVersion(`${boot}.${name}`))).toEqual([2, 3, 4, 5]);
  expect(poxVersion('SP000000000000000000002Q6VF78.pox-4')).toBe(4);
  for (const other of [`${alice}.pox-4`, `${boot}.pox`, `${boot}.pox-1`, `${boot}.pox-9`, `${boot}.pox-44`]) {
    expect(poxVersion(other)).toBe(0);
  }
});

test('a call shows the account after it, not before', () => {
  const stacked = read('stack-stx', alice, { 'lock-amount': uint(300), 'unlock-burn-height': uint(130) });
  expect(stacked).toMatchObject({ locked: 300n, balance: 999_700n, unlockHeight: 130n });
  const state = { locked: 300, unlock: 130 };
  const increased = read('stack-increase', alice, { 'increase-by': uint(50), 'total-locked': uint(350) }, state);
  expect(increased).toMatchObject({ locked: 350n, balance: 999_650n, unlockHeight: 130n });
  const extended = read('stack-extend', alice, { 'extend-count': uint(1), 'unlock-burn-height': uint(140) }, state);
  expect(extended).toMatchObject({ locked: 300n, unlockHeight: 140n });
  expect(read('handle-unlock', alice, {}, state)).toMatchObject({
    locked: 0n,
    balance: 1_000_000n,
    unlockHeight: 130n,
  });
});

test('a delegation locks nothing, and may have no end and no address', () => {
  const open = read('delegate-stx', alice, {
    'amount-ustx': uint(500),
    'delegate-to': principal(bob),
    'unlock-burn-height': none,
    'pox-addr': none,
  });
  expect(open).toMatchObject({ locked: 0n, unlockHeight: 0n, amount: 500n, pool: bob });
  expect(open.address).toBeUndefined();
  const bound = read('delegate-stx', alice, {
    'amount-ustx': uint(500),
    'delegate-to': principal(bob),
    'unlock-burn-height': some(uint(200)),
    'pox-addr': some(rewardAddress(7)),
  });
  expect(bound).toMatchObject({ unlockHeight: 200n, address: { version: 0 } });
});

test('an extension decides on the cycles it adds, a commit on its own', () => {
  const data = { 'extend-count': uint(2), 'unlock-burn-height': uint(160), ...cycles(13, 17) };
  expect(read('stack-extend', alice, data)).toMatchObject({ firstCycle: 15n, endCycle: 17n });
  expect(read('stack-stx', alice, { 'lock-amount': uint(1), ...cycles(13, 17) })).toMatchObject({ firstCycle: 13n });
  const commit = read('stack-aggregation-commit-indexed', bob, {
    'reward-cycle': uint(13),
    'signer-key': buffer(signerKey(1)),
    ...cycles(12, 13),
  });
  expect(commit).toMatchObject({ firstCycle: 13n, endCycle: 14n, signerKey: signerKey(1) });
});

test('what is not a known call is left alone', () => {
  expect(readPoxPrint(encodeClarity(uint(1)))).toBeUndefined();
  expect(readPoxPrint(Uint8Array.of(0x0c, 0xff))).toBeUndefined();
  expect(readPoxPrint(encodeClarity(poxPrint('dance', alice, {})))).toBeUndefined();
  expect(readPoxPrint(encodeClarity(poxPrint('toString', alice, {})))).toBeUndefined();
});

test('staking prints are read with every key optional but who and what', () => {
  expect(readStaking('stake', { staker: principal(alice), signer: principal(`${bob}.manager`) })).toMatchObject({
    kind: 'position',
    cause: 'stake',
    staker: alice,
    signer: `${bob}.manager`,
    bond: undefined,
    stx: undefined,
  });
  expect(readStaking('stake', { signer: principal(bob) })).toBeUndefined();
  expect(readStaking('pause-rewards', {})).toBeUndefined();
  expect(
    readStaking('announce-l1-early-exit', {
      staker: principal(alice),
      'bond-index': uint(3),
      'amount-sats-released': uint(9),
    }),
  ).toMatchObject({ bond: 3n, sats: 0n });
  expect(
    readStaking('claim-staker-rewards-for-signer', { staker: principal(alice), 'bond-index': none }),
  ).toMatchObject({
    kind: 'claim',
    bond: undefined,
    sats: 0n,
  });
});

test('a registration names the Bitcoin outputs that prove it', () => {
  const output = tuple({ txid: buffer(new Uint8Array(32).fill(5)), 'output-index': uint(2) });
  const lockup = tuple({ type: stringAscii('l1'), txs: some(list([output])) });
  const print = encodeClarity(stakingPrint('register-for-bond', { 'btc-lockup': lockup, 'is-l1-lock': bool(true) }));
  expect(lockupOutputs(print)).toEqual([{ txId: new Uint8Array(32).fill(5), index: 2 }]);
  expect(lockupOutputs(encodeClarity(stakingPrint('register-for-bond', {})))).toEqual([]);
});
