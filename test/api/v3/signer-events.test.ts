import { buffer, none, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { expect, test } from 'vitest';
import { readSignerManagerPrint } from '../../../src/chain/pox/signer-manager-print.ts';
import { startApi } from '../../support/api.ts';
import { walk } from '../../support/cursor-walk.ts';
import {
  alice,
  bob,
  boot,
  carol,
  type PoxBlock,
  poxBlock,
  signerKey,
  stakingPrint,
  txIdOf,
} from '../../support/pox-chain.ts';
import { foldAll, until } from '../../support/service.ts';

const manager = `${bob}.manager`;
const read = (topic: string, fields: Record<string, ClarityValue>) =>
  readSignerManagerPrint(encodeClarity(stakingPrint(topic, fields)));
const nothing = {
  staker: undefined,
  cycle: undefined,
  bond: undefined,
  sats: undefined,
  basis: undefined,
  request: undefined,
};

test('a claim of the first reference contract is after the fee, a settlement of the second before it', () => {
  const about = {
    staker: principal(alice),
    'reward-cycle': uint(7),
    'bond-index': some(uint(2)),
    'amount-sats': uint(95),
  };
  const known = { staker: alice, cycle: 7, bond: 2, sats: 95n, request: undefined };
  expect(read('claim-staker-rewards', { ...about, 'l1-withdrawal': none })).toEqual({
    ...{ topic: 'claim-staker-rewards', ...known, basis: 'net' },
  });
  expect(read('settle-staker-rewards', about)).toEqual({ topic: 'settle-staker-rewards', ...known, basis: 'gross' });
});

test('the withdrawal by which a staker is paid is found in each form that contracts print', () => {
  const pox = tuple({ version: buffer(Uint8Array.of(4)), hashbytes: buffer(new Uint8Array(20)) });
  const inner = tuple({ 'pox-addr': pox, 'max-fee': uint(9), 'withdrawal-request': uint(31), amount: uint(80) });
  expect(read('claim-staker-rewards', { 'l1-withdrawal': some(inner) })?.request).toBe(31);
  expect(read('payout', { staker: principal(alice), 'withdrawal-request': some(uint(32)) })?.request).toBe(32);
  expect(read('payout', { 'withdrawal-request': none })?.request).toBeUndefined();
  expect(read('settle-accepted-withdrawal', { 'request-id': uint(33), 'liability-released': uint(7) })).toMatchObject({
    ...{ request: 33, sats: 7n, basis: undefined },
  });
});

test('a print of any other form says only its topic, or nothing', () => {
  expect(read('update-fees', { 'old-fees': uint(1), 'new-fees': uint(2) })).toEqual({
    topic: 'update-fees',
    ...nothing,
  });
  expect(read('payout', { staker: uint(5), 'amount-sats': principal(alice) })).toEqual({ topic: 'payout', ...nothing });
  expect(readSignerManagerPrint(encodeClarity(uint(1)))).toBeUndefined();
  expect(readSignerManagerPrint(encodeClarity(tuple({ topic: uint(1) })))).toBeUndefined();
  expect(readSignerManagerPrint(Uint8Array.of(99))).toBeUndefined();
});

test('prints of a registered signer manager are listed newest first, those of other contracts are not', async t => {
  const api = await startApi(t);
  const claim = { staker: principal(alice), 'reward-cycle': uint(7), 'bond-index': none, 'amount-sats': uint(95) };
  const registration = { signer: principal(manager), 'signer-key': buffer(signerKey(1)) };
  const specs = [
    [{ contract: `${boot}.pox-5`, value: stakingPrint('register-signer', registration) }],
    [
      { contract: manager, value: stakingPrint('claim-staker-rewards', claim) },
      { contract: manager, value: stringAscii('hello') },
      { contract: `${carol}.other`, value: stakingPrint('claim-staker-rewards', claim) },
    ],
    [{ contract: manager, value: stakingPrint('update-fees', { 'old-fees': uint(1), 'new-fees': uint(2) }) }],
  ];
  const blocks: PoxBlock[] = [];
  for (const events of specs) blocks.push(poxBlock(blocks.at(-1), { events }));
  await foldAll(api.database, blocks);
  await until(async () => api.tip.current?.height === blocks.length);
  const get = async (url: string) => (await api.app.inject(url)).json();
  const url = `/extended/v3/staking/signers/${manager}/events`;
  const { results, total } = await get(url);
  expect(total).toBe(3);
  expect(results.map((row: { name: string | null }) => row.name)).toEqual([
    'update-fees',
    null,
    'claim-staker-rewards',
  ]);
  expect(results[1]).toMatchObject({ staker: null, amount: null, value: { repr: '"hello"' } });
  expect(results[2]).toMatchObject({
    ...{
      staker: alice,
      reward_cycle: 7,
      bond_index: null,
      amount: { btc: '95', basis: 'net' },
      withdrawal_request_id: null,
    },
    transaction: { tx_id: txIdOf(blocks[1]!, 0) },
    block: { height: 2 },
    bitcoin_block: { height: 102 },
  });
  expect(await walk(get, url, 1)).toEqual(results);
  for (const other of [`${carol}.other`, alice]) {
    const { statusCode } = await api.app.inject(`/extended/v3/staking/signers/${other}/events`);
    expect(statusCode).toBe(404);
  }
  expect((await api.app.inject(`${url}?cursor=9`)).statusCode).toBe(400);
});
