import { buffer, none, principal, some, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { toHex } from '@cairn-stacks/codec/hex';
import { expect, test } from 'vitest';
import { startApi } from '../support/api.ts';
import {
  alice,
  bob,
  boot,
  carol,
  cycles,
  type PoxBlock,
  type PoxBlockSpec,
  poxBlock,
  poxPrint,
  rewardAddress,
  signerKey,
  txIdOf,
} from '../support/pox-chain.ts';
import { foldAll, until } from '../support/service.ts';

type Context = Parameters<typeof startApi>[0];

/** The API on a chain of such blocks. */
async function start(t: Context, specs: PoxBlockSpec[]) {
  const api = await startApi(t);
  const blocks: PoxBlock[] = [];
  for (const spec of specs) blocks.push(poxBlock(blocks.at(-1), spec));
  await foldAll(api.database, blocks);
  await until(async () => api.tip.current?.height === blocks.length);
  const get = async (url: string) => (await api.app.inject(url)).json();
  return { ...api, blocks, get };
}

const pox4 = (value: ClarityValue) => ({ contract: `${boot}.pox-4`, value });

test('an event is shown as it left the account', async t => {
  const data = {
    'lock-amount': uint(300),
    'lock-period': uint(1),
    'start-burn-height': uint(110),
    'unlock-burn-height': uint(130),
    'pox-addr': rewardAddress(0x1e),
    'signer-key': buffer(signerKey(1)),
    'signer-sig': none,
    ...cycles(12, 13),
  };
  const { get, blocks } = await start(t, [{ events: [pox4(poxPrint('stack-stx', alice, data))] }]);
  const event = {
    block_height: 1,
    tx_id: txIdOf(blocks[0]!),
    tx_index: 0,
    event_index: 0,
    stacker: alice,
    locked: '300',
    balance: '999700',
    burnchain_unlock_height: '130',
    pox_addr: expect.stringMatching(/^m/),
    pox_addr_raw: `0x00${'1e'.repeat(20)}`,
    name: 'stack-stx',
    data: {
      lock_amount: '300',
      lock_period: '1',
      start_burn_height: '110',
      unlock_burn_height: '130',
      signer_key: toHex(signerKey(1)),
      start_cycle_id: '12',
      end_cycle_id: '13',
    },
  };
  expect(await get('/extended/v1/pox4/events')).toEqual({ limit: 96, offset: 0, results: [event] });
  expect(await get(`/extended/v1/pox4/tx/${txIdOf(blocks[0]!)}`)).toEqual({ results: [event] });
  expect(await get(`/extended/v1/pox4/stacker/${alice}`)).toEqual({ results: [event] });
  expect(await get('/extended/v1/pox3/events')).toEqual({ limit: 96, offset: 0, results: [] });
  expect(await get(`/extended/v1/pox2/tx/${txIdOf(blocks[0]!)}`)).toEqual({ results: [] });
});

test('events of pox-2 have no signers and no cycles', async t => {
  const data = { 'amount-ustx': uint(5), 'delegate-to': principal(bob), 'unlock-burn-height': none, 'pox-addr': none };
  const events = [{ contract: `${boot}.pox-2`, value: poxPrint('delegate-stx', alice, data) }];
  const { get } = await start(t, [{ events }]);
  const [event] = (await get('/extended/v1/pox2/events')).results;
  expect(event).toMatchObject({ pox_addr: null, pox_addr_raw: null, burnchain_unlock_height: '0' });
  expect(event.data).toEqual({ amount_ustx: '5', delegate_to: bob, start_cycle_id: null, end_cycle_id: null });
});

const delegate = (stacker: string, pool: string, amount: number, until?: number) =>
  pox4(
    poxPrint('delegate-stx', stacker, {
      'amount-ustx': uint(amount),
      'delegate-to': principal(pool),
      'unlock-burn-height': until === undefined ? none : some(uint(until)),
      'pox-addr': none,
    }),
  );
const revoke = (stacker: string, pool: string) =>
  pox4(poxPrint('revoke-delegate-stx', stacker, { 'delegate-to': principal(pool) }));

test('a pool has the members whose last delegation is still in force', async t => {
  const { get } = await start(t, [
    { burnHeight: 101, events: [delegate(alice, bob, 1), delegate(carol, bob, 2, 103)] },
    { burnHeight: 102, events: [delegate(alice, bob, 3)] },
    { burnHeight: 103 },
    { burnHeight: 104, events: [revoke(alice, bob)] },
  ]);
  const members = async (query: string) => {
    const { total, results } = await get(`/extended/v1/pox4/${bob}/delegations${query}`);
    expect(total).toBe(results.length);
    return results.map((r: { stacker: string; amount_ustx: string }) => [r.stacker, r.amount_ustx]);
  };
  expect(await members('?height=1')).toEqual([
    [carol, '2'],
    [alice, '1'],
  ]);
  expect(await members('?height=2')).toEqual([
    [alice, '3'],
    [carol, '2'],
  ]);
  expect(await members('?height=2&after_block=1')).toEqual([[alice, '3']]);
  expect(await members('?height=3')).toEqual([[alice, '3']]);
  expect(await members('')).toEqual([]);
});

test('a delegation to another pool ends the one before', async t => {
  const { get, app } = await start(t, [{ events: [delegate(alice, bob, 1)] }, { events: [delegate(alice, carol, 2)] }]);
  expect((await get(`/extended/v1/pox4/${bob}/delegations`)).total).toBe(0);
  expect((await get(`/extended/v1/pox4/${carol}/delegations`)).results).toEqual([
    { stacker: alice, amount_ustx: '2', block_height: 2, tx_id: expect.any(String) },
  ]);
  expect((await app.inject(`/extended/v1/pox4/${carol}/delegations?unanchored=true`)).statusCode).toBe(404);
});

const solo = (stacker: string, name: string, locked: number, data: Record<string, ClarityValue>) =>
  pox4(
    poxPrint(name, stacker, { 'pox-addr': rewardAddress(1), 'signer-key': buffer(signerKey(1)), ...data }, { locked }),
  );
const pooled = (stacker: string, amount: number) =>
  pox4(
    poxPrint('delegate-stack-stx', stacker, {
      'lock-amount': uint(amount),
      'pox-addr': rewardAddress(2),
      delegator: principal(bob),
      ...cycles(12, 13),
    }),
  );
const commit = (key: Uint8Array) =>
  pox4(
    poxPrint('stack-aggregation-commit', bob, {
      'pox-addr': rewardAddress(2),
      'reward-cycle': uint(12),
      'amount-ustx': uint(70),
      'signer-key': buffer(key),
      ...cycles(12, 13),
    }),
  );

test('stackers belong to the signer that they or their pool named before the set was fixed', async t => {
  const { get, app } = await start(t, [
    { events: [solo(alice, 'stack-stx', 0, { 'lock-amount': uint(100), ...cycles(12, 14) })] },
    { events: [solo(alice, 'stack-increase', 100, { 'increase-by': uint(50), ...cycles(12, 14) })] },
    { events: [pooled(carol, 70), commit(signerKey(2))] },
    {
      cycle: {
        number: 12,
        signers: [
          { key: signerKey(1), stacked: 150, weight: 2 },
          { key: signerKey(2), stacked: 70, weight: 1 },
        ],
      },
    },
    { events: [solo(alice, 'stack-increase', 150, { 'increase-by': uint(50), ...cycles(12, 14) })] },
  ]);
  expect(await get('/extended/v2/pox/cycles')).toMatchObject({ total: 1, limit: 20, offset: 0 });
  expect(await get('/extended/v2/pox/cycles/12')).toMatchObject({
    block_height: 4,
    total_weight: 3,
    total_stacked_amount: '220',
    total_signers: 2,
  });
  const { results } = await get('/extended/v2/pox/cycles/12/signers');
  expect(results).toMatchObject([
    { signing_key: toHex(signerKey(1)), solo_stacker_count: 1, pooled_stacker_count: 0 },
    { signing_key: toHex(signerKey(2)), solo_stacker_count: 0, pooled_stacker_count: 1 },
  ]);
  const stackers = async (key: Uint8Array) =>
    (await get(`/extended/v2/pox/cycles/12/signers/${toHex(key)}/stackers`)).results;
  expect(await stackers(signerKey(1))).toMatchObject([
    { stacker_address: alice, stacked_amount: '150', stacker_type: 'solo' },
  ]);
  expect(await stackers(signerKey(2))).toMatchObject([
    { stacker_address: carol, stacked_amount: '70', stacker_type: 'pooled' },
  ]);
  for (const unknown of ['/13', '/13/signers', `/12/signers/${toHex(signerKey(9))}`, '/12/signers/zz/stackers']) {
    expect((await app.inject(`/extended/v2/pox/cycles${unknown}`)).statusCode).toBe(404);
  }
});

test('a member counts for the key of the first commit after its call', async t => {
  const { get } = await start(t, [
    { events: [pooled(carol, 70), commit(signerKey(2)), pooled(alice, 30), commit(signerKey(3))] },
    { cycle: { number: 12, signers: [2, 3].map(n => ({ key: signerKey(n), stacked: 50, weight: 1 })) } },
  ]);
  for (const [key, stacker] of [
    [2, carol],
    [3, alice],
  ] as const) {
    const { results } = await get(`/extended/v2/pox/cycles/12/signers/${toHex(signerKey(key))}/stackers`);
    expect(results).toMatchObject([{ stacker_address: stacker }]);
  }
});

test('the old paths of all versions lead to the new ones', async t => {
  const { app } = await startApi(t);
  for (const pox of ['pox2', 'pox3', 'pox4']) {
    const moved = await app.inject(`/extended/v1/${pox}_events?limit=5`);
    expect([moved.statusCode, moved.headers.location]).toEqual([302, `/extended/v1/${pox}/events?limit=5`]);
    const stacker = await app.inject(`/extended/v1/${pox}_events/stacker/${alice}`);
    expect(stacker.headers.location).toBe(`/extended/v1/${pox}/stacker/${alice}`);
  }
});
