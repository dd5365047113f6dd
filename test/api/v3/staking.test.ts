import { bool, buffer, list, none, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { toHex } from '@cairn-stacks/codec/hex';
import { expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';
import { walk } from '../../support/cursor-walk.ts';
import {
  alice,
  bob,
  boot,
  carol,
  type PoxBlock,
  type PoxBlockSpec,
  poxBlock,
  signerKey,
  stakingPrint,
  txIdOf,
} from '../../support/pox-chain.ts';
import { foldAll, until } from '../../support/service.ts';

type Context = Parameters<typeof startApi>[0];
type Print = { contract: string; value: ClarityValue };

/** The API on a chain of such blocks. */
async function start(t: Context, specs: (Print[] | PoxBlockSpec)[]) {
  const api = await startApi(t);
  const blocks: PoxBlock[] = [];
  for (const spec of specs) blocks.push(poxBlock(blocks.at(-1), Array.isArray(spec) ? { events: spec } : spec));
  await foldAll(api.database, blocks);
  await until(async () => api.tip.current?.height === blocks.length);
  const get = async (url: string) => (await api.app.inject(`/extended/v3${url}`)).json();
  return { ...api, blocks, get };
}

const print = (topic: string, fields: Record<string, ClarityValue>): Print => ({
  contract: `${boot}.pox-5`,
  value: stakingPrint(topic, fields),
});
const manager = `${bob}.manager`;
const bond = (index: number) => ({ 'bond-index': uint(index) });

const setupBond = (index: number, start: number, unlock: number) =>
  print('setup-bond', {
    ...bond(index),
    'target-rate': uint(450),
    'stx-value-ratio': uint(20),
    'min-ustx-ratio': uint(10),
    'first-reward-cycle': uint(5),
    'bond-start-height': uint(start),
    'unlock-cycle': uint(17),
    'unlock-burn-height': uint(unlock),
  });
const allow = (index: number, staker: string, sats: number) =>
  print('add-to-allowlist', { ...bond(index), staker: principal(staker), 'max-sats': uint(sats) });
const enrol = (index: number, staker: string, sats: number, more: Record<string, ClarityValue> = {}) =>
  print('register-for-bond', {
    ...bond(index),
    staker: principal(staker),
    signer: principal(manager),
    'amount-ustx': uint(sats * 2),
    'sats-total': uint(sats),
    'first-reward-cycle': uint(5),
    'unlock-cycle': uint(17),
    'unlock-burn-height': uint(900),
    'is-l1-lock': bool(false),
    ...more,
  });
const stake = (staker: string, ustx: number) =>
  print('stake', {
    staker: principal(staker),
    signer: principal(manager),
    'amount-ustx': uint(ustx),
    'first-reward-cycle': uint(5),
    'unlock-cycle': uint(8),
    'unlock-burn-height': uint(500),
  });
const registerSigner = (signer: string, key: Uint8Array) =>
  print('register-signer', { signer: principal(signer), 'signer-key': buffer(key) });

test('a bond is returned with its terms, allowances and locked amounts', async t => {
  const { get, blocks, app } = await start(t, [
    [setupBond(1, 102, 900), allow(1, alice, 100), allow(1, carol, 50), allow(1, carol, 60), setupBond(2, 500, 900)],
    [enrol(1, alice, 80)],
  ]);
  const summary = {
    index: 1,
    pox_version: 'pox5',
    status: 'active',
    parameters: { target_rate_bps: 450, stx_value_ratio: 20, minimum_stx_ratio: 10, btc_capacity: '160' },
    registrations: { allowed_count: 2, registered_count: 1 },
    schedule: {
      activation: { bitcoin_height: 102, pox_cycle: 5 },
      unlock: { bitcoin_height: 900, pox_cycle: 17 },
    },
    balances: { locked: { btc: '80', stx: '160' }, paid_out: { btc: '0' } },
  };
  const { results, total, cursor } = await get('/staking/bonds?limit=1');
  expect([total, cursor]).toEqual([2, { next: '1', previous: null, current: '2' }]);
  expect(results).toMatchObject([{ index: 2, status: 'upcoming' }]);
  expect(await get('/staking/bonds?limit=1&cursor=1')).toMatchObject({
    cursor: { next: null, previous: '2', current: '1' },
    results: [summary],
  });
  expect(await get('/staking/bonds/1')).toMatchObject({ ...summary, transaction: { tx_id: txIdOf(blocks[0]!) } });
  expect(await get(`/staking/bonds/1/allowlist/${carol}`)).toEqual({ staker: carol, max_sats: '60' });
  for (const unknown of ['/3', '/-1', `/1/allowlist/${bob}`, `/-1/allowlist/${bob}`, `/1/registrations/${carol}`]) {
    expect((await app.inject(`/extended/v3/staking/bonds${unknown}`)).statusCode).toBe(404);
  }
  const empty = { limit: 20, cursor: { next: null, previous: null, current: null }, results: [] };
  for (const unknown of ['/3/allowlist', '/-1/allowlist', '/3/registrations', '/-1/registrations']) {
    expect(await get(`/staking/bonds${unknown}`)).toEqual({ total: 0, ...empty });
  }
  expect(await get(`/staking/signers/${carol}/stakers`)).toEqual({ total: 0, ...empty, limit: 100 });
  // A page behind the end of what hangs on a bond still has the total.
  expect(await get('/staking/bonds/1/allowlist?cursor=0:0:0')).toEqual({ total: 2, ...empty });
  expect(await get('/staking/bonds/1/registrations?cursor=0:0:0')).toEqual({ total: 1, ...empty });
});

test('pages of an allowlist join without gaps though one transaction wrote many entries', async t => {
  const events = [setupBond(1, 102, 900), ...[alice, bob, carol].map(who => allow(1, who, 5))];
  const { get } = await start(t, [{ events, together: true }]);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { results: { staker: string }[]; cursor: { next: string | null } } = await get(
      `/staking/bonds/1/allowlist?limit=1${cursor && `&cursor=${cursor}`}`,
    );
    seen.push(...page.results.map(entry => entry.staker));
    cursor = page.cursor.next;
  }
  expect(seen).toEqual([carol, bob, alice]);
});

test('the amounts of a registration do not change with its bitcoin', async t => {
  const outputs = list([tuple({ txid: buffer(new Uint8Array(32).fill(5)), 'output-index': uint(1) })]);
  const lockup = { 'is-l1-lock': bool(true), 'btc-lockup': tuple({ type: stringAscii('l1'), txs: some(outputs) }) };
  const { get, blocks } = await start(t, [
    [setupBond(1, 102, 900), enrol(1, alice, 80, lockup), enrol(1, carol, 40)],
    [
      print('announce-l1-early-exit', { ...bond(1), staker: principal(alice), signer: principal(manager) }),
      print('unstake-sbtc', {
        ...bond(1),
        staker: principal(carol),
        signer: principal(manager),
        'new-amount-sats': uint(30),
      }),
    ],
  ]);
  expect(await get(`/staking/bonds/1/registrations/${alice}`)).toEqual({
    staker: alice,
    signer: manager,
    type: 'l1',
    balances: { btc: '80', stx: '160' },
    l1_lockup: { transactions: [{ tx_id: `0x${'05'.repeat(32)}`, output_index: 1 }] },
  });
  expect(await get(`/staking/bonds/1/registrations/${carol}`)).toMatchObject({
    type: 'l2',
    balances: { btc: '40', stx: '80' },
    l2_lockup: { tx_id: txIdOf(blocks[0]!, 2) },
  });
  const { total, results } = await get('/staking/bonds/1/registrations');
  expect([total, results.map((row: { balances: { btc: string } }) => row.balances.btc)]).toEqual([2, ['40', '80']]);
  const [position] = (await get(`/principals/${alice}/staking/bonds`)).results;
  expect(position).toMatchObject({ bond_index: 1, status: 'early_exit', active: false });
  expect(position.enrollment.btc_lockup).toEqual({ amount: '80' });
});

test('rewards are shared by amounts at the time, less claimed ones', async t => {
  const share = (rewards: number) =>
    print('bond-distribution', { ...bond(1), 'bond-rewards': uint(rewards), 'bond-staked-sats': uint(100) });
  const pay = (cycle: number) =>
    print('calculate-rewards', {
      'stx-cycle': uint(cycle),
      'total-stx-staker-rewards': uint(90),
      'cycle-staked-ustx': uint(300),
    });
  const claim = (index: ClarityValue, sats: number) =>
    print('claim-staker-rewards-for-signer', {
      staker: principal(alice),
      'bond-index': index,
      'rewards-claimed': uint(sats),
    });
  const { get } = await start(t, [
    [setupBond(1, 102, 900), share(1000), enrol(1, alice, 80), stake(carol, 100)],
    [
      share(1000),
      print('unstake-sbtc', { ...bond(1), staker: principal(alice), 'new-amount-sats': uint(10) }),
      share(1000),
    ],
    [claim(some(uint(1)), 300), pay(4), pay(5), pay(8), claim(none, 0)],
  ]);
  expect(await get(`/principals/${alice}/staking`)).toEqual({
    stx: { locked: '0', rewards: { btc: { accrued: '0', claimed: '0', claimable: '0' } } },
    bonds: {
      count: 1,
      locked: { btc: '10', stx: '160' },
      rewards: { btc: { accrued: '900', claimed: '300', claimable: '600' } },
    },
  });
  expect((await get(`/principals/${carol}/staking`)).stx).toEqual({
    locked: '100',
    rewards: { btc: { accrued: '30', claimed: '0', claimable: '30' } },
  });
  expect((await get('/staking/bonds/1')).balances.paid_out).toEqual({ btc: '3000' });
});

test('a share is rounded down as the contract does, at the rate and at the share', async t => {
  const { get } = await start(t, [
    [setupBond(1, 102, 900), enrol(1, alice, 3), enrol(1, carol, 4)],
    [print('bond-distribution', { ...bond(1), 'bond-rewards': uint(7), 'bond-staked-sats': uint(7) })],
    [print('bond-distribution', { ...bond(1), 'bond-rewards': uint(14), 'bond-staked-sats': uint(3) })],
  ]);
  // 14 / 3 is 4.666666666666666666 in the contract: three times that is 13.999999999999999998.
  expect((await get(`/principals/${alice}/staking`)).bonds.rewards.btc.accrued).toBe(String(3 + 13));
});

test('an update of a registration replaces signer and amounts', async t => {
  const update = print('update-bond-registration', {
    ...bond(1),
    staker: principal(alice),
    signer: principal(`${alice}.other`),
    'amount-ustx': uint(90),
    'sats-total': uint(45),
  });
  const { get } = await start(t, [[setupBond(1, 102, 900), enrol(1, alice, 80)], [update]]);
  expect(await get(`/staking/bonds/1/registrations/${alice}`)).toMatchObject({
    signer: `${alice}.other`,
    balances: { btc: '45', stx: '90' },
  });
});

test('a transaction of somebody else that only locks STX is not listed, however many there are', async t => {
  const lock = { lock: alice, amount: 5, unlock: 900, contract: `${boot}.pox-5` };
  const moved = { contract: `${alice}.shop`, value: uint(1) };
  const { app, blocks, get } = await start(t, [
    { events: [lock, lock] },
    [moved],
    { events: [lock] },
    { events: [lock, lock, lock] },
  ]);
  const url = `/principals/${alice}/transactions?limit=1`;
  expect(await get(url)).toMatchObject({ total: 0, results: [] });
  // The first version lists them.
  const { total } = (await app.inject(`/extended/v1/address/${alice}/transactions`)).json();
  expect([total, blocks.length]).toEqual([6, 4]);
});

test('a principal that never staked has zeros', async t => {
  const { get } = await start(t, [[]]);
  const rewards = { btc: { accrued: '0', claimed: '0', claimable: '0' } };
  expect(await get(`/principals/${alice}/staking`)).toEqual({
    stx: { locked: '0', rewards },
    bonds: { count: 0, locked: { btc: '0', stx: '0' }, rewards },
  });
  expect(await get(`/principals/${alice}/staking/bonds`)).toEqual({
    total: 0,
    limit: 20,
    cursor: { next: null, previous: null, current: null },
    results: [],
  });
});

test('signers are listed by name with the key they registered last, and with their stakers', async t => {
  const { get, blocks } = await start(t, [
    [registerSigner(manager, signerKey(1)), registerSigner(`${alice}.other`, signerKey(2))],
    [registerSigner(manager, signerKey(3)), stake(alice, 5), enrol(1, alice, 4), enrol(1, carol, 4), stake(bob, 7)],
  ]);
  expect((await get('/staking/signers')).results).toEqual([
    { signer: manager, signer_key: toHex(signerKey(3)) },
    { signer: `${alice}.other`, signer_key: toHex(signerKey(2)) },
  ]);
  expect(await get(`/staking/signers/${manager}`)).toMatchObject({ transaction: { tx_id: txIdOf(blocks[1]!) } });
  expect((await get(`/staking/signers/${manager}/stakers`)).results).toEqual([
    { staker: bob, types: ['stx'] },
    { staker: alice, types: ['btc'] },
    { staker: carol, types: ['btc'] },
  ]);
  expect((await get(`/staking/signers/${alice}.other/stakers`)).total).toBe(0);
});

test('the current signer set is returned with the managers of each key', async t => {
  const grant = (topic: string, key: Uint8Array) =>
    print(topic, { 'signer-manager': principal(manager), 'signer-key': buffer(key), 'auth-id': uint(7) });
  const signers = [
    { key: signerKey(1), stacked: 30, weight: 3 },
    { key: signerKey(2), stacked: 10, weight: 1 },
  ];
  const { get, blocks, app } = await start(t, [
    [
      registerSigner(manager, signerKey(1)),
      grant('grant-signer-key', signerKey(1)),
      grant('grant-signer-key', signerKey(4)),
    ],
    { cycle: { number: 12, signers } },
    [registerSigner(manager, signerKey(4)), grant('revoke-signer-grant', signerKey(1))],
  ]);
  const { results, total } = await get('/staking/cycles/current/signers');
  expect(total).toBe(2);
  expect(results[0]).toEqual({
    signing_key: toHex(signerKey(1)),
    weight: { amount: 3, percent: 75 },
    staked_stx: { amount: '30', percent: 75 },
    signer_managers: [
      {
        signer_manager: manager,
        registered_at: { block_height: 1, bitcoin_block_height: 101, tx_id: txIdOf(blocks[0]!) },
        granted_keys: [{ signer_key: toHex(signerKey(4)), auth_id: '7', tx_id: txIdOf(blocks[0]!, 2) }],
        grant_active: false,
        pending_key_update: { signer_key: toHex(signerKey(4)), effective_cycle: 13, tx_id: txIdOf(blocks[2]!) },
      },
    ],
  });
  expect(results[1].signer_managers).toEqual([]);
  const status = async (path: string) => (await app.inject(`/extended/v3/staking/cycles/${path}`)).statusCode;
  expect(await status('12/signers')).toBe(200);
  expect(await status('11/signers')).toBe(404);
  expect(await status('twelve/signers')).toBe(400);
  expect(await status(`current/signers?cursor=${toHex(signerKey(9))}`)).toBe(404);
  expect(await status(`current/signers?cursor=${toHex(signerKey(2))}`)).toBe(200);
});

test('a cycle and a bond are returned with their events', async t => {
  const calculate = print('calculate-rewards', {
    'stx-cycle': uint(5),
    'calculation-height': uint(103),
    'cycle-staked-ustx': uint(300),
    'gross-accrued-rewards': uint(100),
    'total-bond-rewards': uint(60),
    'total-stx-staker-rewards': uint(30),
    'reserve-deposit': uint(10),
  });
  const distribute = print('bond-distribution', {
    ...bond(1),
    'bond-rewards': uint(60),
    'bond-staked-sats': uint(80),
    'accrued-rewards-per-sat': uint(7),
  });
  const { get, app } = await start(t, [
    [setupBond(1, 102, 900), allow(1, alice, 100), enrol(1, alice, 80), stake(carol, 100)],
    { events: [calculate, distribute], together: true },
    [print('claim-rewards', { 'reward-cycle': uint(5), 'total-rewards': uint(25) })],
  ]);
  const cycle = await get('/staking/cycles/current');
  expect(cycle).toMatchObject({
    number: 5,
    status: 'reward_phase',
    locked: { stx: { stx_only: '300', bonds: '160', total: '460' }, btc: { total: '80', native: '0', sbtc: '80' } },
    participants: { stakers: { bonds: 1 }, signers: null },
    bonds: { total: 1, indexes: [1] },
    rewards: {
      btc: { total: '100', waterfall: { bonds: '60', stx_only: '30', reserve_deposit: '10' }, claimed: '25' },
    },
  });
  expect(cycle.schedule).toMatchObject({ start: { bitcoin_height: 100 }, end: { bitcoin_height: 119 } });
  expect((await get('/staking/cycles/next')).status).toBe('upcoming');
  expect((await get('/staking/cycles/previous')).status).toBe('finished');
  expect(await get('/staking')).toEqual({
    locked: { stx: { stx_only_total: '100', bond_total: '160', total: '260' }, btc: { total: '80' } },
  });
  const { total, results } = await get('/staking/bonds/1/events');
  expect([total, results.map((row: { name: string }) => row.name)]).toEqual([
    4,
    ['bond-distribution', 'register-for-bond', 'add-to-allowlist', 'setup-bond'],
  ]);
  expect(results[0].data).toMatchObject({
    calculation: { bitcoin_height: 103, reward_cycle: 5 },
    rewards: { btc: '60' },
    accrued_rewards_per_sat: '7',
  });
  const seen = await walk((url: string) => get(url), '/staking/bonds/1/events', 1);
  expect(seen).toEqual(results);
  expect(await get('/staking/bonds/9/events')).toMatchObject({ total: 0, results: [] });
  const newer = await app.inject({ url: '/extended/v3/staking/bonds/1', headers: { 'x-api-version': '9.3' } });
  expect(newer.json()).toMatchObject({
    schedule: { enrollment_cutoff: { bitcoin_height: 97, pox_cycle: 4 }, activation: { time: expect.any(Number) } },
    balances: { rewards: { btc: { distributed: '60', accrued: '60', claimed: '0' } }, paid_out: { btc: '60' } },
  });
});

test('stakers of a signer have their positions when a cycle or past ones are asked for', async t => {
  const update = print('stake-update', {
    staker: principal(alice),
    signer: principal(`${alice}.other`),
    'amount-ustx': uint(9),
    'num-cycles': uint(3),
    'unlock-cycle': uint(9),
    'unlock-burn-height': uint(180),
  });
  // Blocks are of the burn heights from 101 on, in cycle 5.
  const { get, app, blocks } = await start(t, [
    [registerSigner(manager, signerKey(1)), stake(alice, 5), enrol(1, carol, 4)],
    [update],
  ]);
  const url = `/staking/signers/${manager}/stakers`;
  expect((await get(url)).results).toEqual([{ staker: carol, types: ['btc'] }]);
  const past = await get(`${url}?include=past`);
  expect(past.results.map((row: { staker: string }) => row.staker)).toEqual([alice, carol]);
  expect(past.results[0]).toMatchObject({
    types: ['stx'],
    staked: { btc: '0', stx: '5' },
    bond_index: null,
    ...{ first_cycle: 5, last_cycle: 5, unlock_cycle: 8, unlock_bitcoin_height: 500, lock_bitcoin_height: 101 },
    ...{ active: true, unclaimed: { btc: '0' } },
    locked_at: { height: 1, index_hash: blocks[0]!.body.index_block_hash },
  });
  expect((await get(`${url}?cycle=6`)).results).toMatchObject([
    { staker: carol, types: ['btc'], staked: { btc: '4', stx: '8' }, bond_index: 1, first_cycle: 5, last_cycle: 16 },
  ]);
  const moved = await get(`/staking/signers/${alice}.other/stakers?cycle=next`);
  expect(moved.results).toMatchObject([
    { staker: alice, first_cycle: 6, last_cycle: 8, lock_bitcoin_height: 101, active: false },
  ]);
  const status = async (path: string) => (await app.inject(`/extended/v3${path}`)).statusCode;
  expect(await status(`${url}?cycle=6&include=past`)).toBe(400);
  expect(await status(`${url}?include=all`)).toBe(400);
  expect(await status(`${url}?cycle=six`)).toBe(400);
  const rewards = `/principals/${alice}/staking/rewards`;
  expect((await get(rewards)).results).toMatchObject([
    { cycle: 5, signer_manager: manager, shares: '5', final: false },
  ]);
  expect(await get(`${rewards}?signer=${alice}.other`)).toMatchObject({ total: 0, results: [] });
  expect(await status(`${rewards}?signer=SP000000000000000000002Q6VF78.pox-5`)).toBe(400);
  expect(await status(`${rewards}?unclaimed=maybe`)).toBe(400);
  expect(await get(`/principals/${bob}/staking/rewards`)).toMatchObject({ total: 0, results: [] });
});
