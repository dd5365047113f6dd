import { expect, test } from 'vitest';
import { isLockedAt } from '../../src/chain/pox/stx-lock.ts';
import { genesisNamesPath } from '../../src/ingest/load/genesis-names.ts';
import { testChain } from '../support/chain.ts';
import { addressOf, serveChain, serveChainForFile } from '../support/served-chain.ts';

const [alice, bob, carol] = [0, 1, 2].map(addressOf) as [string, string, string];
const allocation = 1_000_000n;
const contract = `${alice}.tokens`;

/** Block 1 to 5: a transfer, a sponsored transfer, tokens, a lock, nothing. */
function makeBlocks() {
  const chain = testChain({ allocation, accounts: 3 });
  const first = chain.mine(chain.genesis, {
    transactions: [{ kind: 'transfer', from: 0, to: bob, amount: 100n, fee: 7n }],
  });
  const second = chain.mine(first, {
    transactions: [{ kind: 'transfer', from: 1, to: alice, amount: 30n, fee: 5n, sponsor: 2 }],
  });
  const third = chain.mine(second, {
    transactions: [
      { kind: 'deploy', from: 0, name: 'tokens', fee: 1n },
      { kind: 'call', from: 0, contract, call: { name: 'mint', amount: 50n, to: alice }, fee: 1n },
      { kind: 'call', from: 0, contract, call: { name: 'transfer', amount: 50n, to: bob }, fee: 1n },
      { kind: 'call', from: 0, contract, call: { name: 'mint-item', item: 1, to: carol }, fee: 1n },
      { kind: 'call', from: 0, contract, call: { name: 'mint', amount: 9n, to: alice }, fee: 1n, fails: 'response' },
    ],
  });
  const fourth = chain.mine(third, { transactions: [{ kind: 'stack', from: 1, amount: 400n, cycles: 1, fee: 2n }] });
  return [chain.genesis, first, second, third, fourth, chain.mine(fourth, { transactions: [] })];
}

const blocks = makeBlocks();
const { get, ask } = serveChainForFile(() => blocks);

test('sent, received and paid amounts add up, and the sponsor pays the fee', async () => {
  const { stx } = await get(`/extended/v1/address/${bob}/balances`);
  expect(stx).toMatchObject({
    balance: String(allocation + 100n - 30n - 2n),
    total_sent: '30',
    total_received: String(allocation + 100n),
    total_fees_sent: '2',
    estimated_balance: String(allocation + 100n - 30n - 2n),
  });
  expect((await get(`/extended/v1/address/${carol}/stx`)).total_fees_sent).toBe('5');
});

test('the balance after a block is found by height and by hash', async () => {
  const url = `/extended/v1/address/${bob}/stx`;
  expect(await get(`${url}?until_block=1`)).toMatchObject({ balance: String(allocation + 100n) });
  expect(await get(`${url}?until_block=${blocks[2]!.hash}`)).toMatchObject({ balance: String(allocation + 70n) });
  expect(await get(`${url}?until_block=1`)).not.toHaveProperty('estimated_balance');
  expect((await ask(`${url}?until_block=0x${'ab'.repeat(32)}`)).status).toBe(404);
  for (const wrong of ['0', '-1', '1.5', 'abc', '0xzz', '0xabc', '99999999999']) {
    expect((await ask(`${url}?until_block=${wrong}`)).status).toBe(400);
  }
  expect((await ask(`${url}?until_block=1&unanchored=true`)).status).toBe(400);
});

test('tokens that are all gone stay listed in v1 and not in v2, and failed calls move nothing', async () => {
  const coin = `${contract}::coin`;
  const { fungible_tokens, non_fungible_tokens } = await get(`/extended/v1/address/${alice}/balances`);
  expect(fungible_tokens).toEqual({ [coin]: { balance: '0', total_sent: '50', total_received: '50' } });
  expect(non_fungible_tokens).toEqual({});
  const carols = await get(`/extended/v1/address/${carol}/balances`);
  expect(carols.non_fungible_tokens).toEqual({
    [`${contract}::item`]: { count: '1', total_sent: '0', total_received: '1' },
  });
  expect(await get(`/extended/v2/addresses/${alice}/balances/ft`)).toMatchObject({ total: 0, results: [] });
  expect(await get(`/extended/v2/addresses/${bob}/balances/ft`)).toMatchObject({
    total: 1,
    results: [{ token: coin, balance: '50' }],
  });
  expect(await get(`/extended/v2/addresses/${bob}/balances/ft/${coin}`)).toEqual({ balance: '50' });
  expect(await get(`/extended/v2/addresses/${bob}/balances/ft/nothing`)).toEqual({ balance: '0' });
});

test('a lock is shown from its block on', async () => {
  const lock = await get(`/extended/v1/address/${bob}/stx`);
  expect(lock).toMatchObject({ locked: '400', lock_height: 4, burnchain_lock_height: blocks[4]!.burn.height });
  const tip = blocks.at(-1)!.burn.height;
  expect(tip).toBeGreaterThan(blocks[4]!.burn.height);
  const { lock_tx_id, locked, lock_height } = lock;
  expect(await get(`/extended/v2/addresses/${bob}/balances/stx`)).toMatchObject({
    lock_tx_id,
    locked,
    lock_height,
    burnchain_lock_height: tip,
  });
  expect(lock.lock_tx_id).toMatch(/^0x[0-9a-f]{64}$/);
  const before = await get(`/extended/v1/address/${bob}/stx?until_block=3`);
  expect(before).toMatchObject({ locked: '0', lock_tx_id: '', lock_height: 0, burnchain_unlock_height: 0 });
});

test('a lock ends by itself and by force, each one burn block later than for the node', () => {
  const lock = { contract: 'ST000000000000000000002AMW42H.pox-2', unlockHeight: 200 };
  expect(isLockedAt(lock, 200, [])).toBe(true);
  expect(isLockedAt(lock, 201, [])).toBe(false);
  expect(isLockedAt(lock, 150, [100, 150])).toBe(true);
  expect(isLockedAt(lock, 151, [100n, 150n])).toBe(false);
  expect(isLockedAt({ ...lock, contract: 'ST000000000000000000002AMW42H.pox' }, 101, [100])).toBe(false);
  expect(isLockedAt({ ...lock, contract: 'ST000000000000000000002AMW42H.pox-5' }, 151, [100, 150])).toBe(true);
});

test('an account without activity has zero balances, and an invalid address is rejected', async () => {
  expect(await get(`/extended/v1/address/${addressOf(77)}/balances`)).toMatchObject({ stx: { balance: '0' } });
  for (const wrong of ['nobody', alice.toLowerCase(), alice.slice(0, -1), `${alice}.`, '0x1234']) {
    expect((await ask(`/extended/v1/address/${wrong}/balances`)).status).toBe(400);
  }
});

test('nonces count transactions signed as origin or sponsor, now and after a block', async () => {
  expect(await get(`/extended/v1/address/${carol}/nonces`)).toMatchObject({
    last_executed_tx_nonce: 0,
    possible_next_nonce: 1,
  });
  expect(await get(`/extended/v1/address/${alice}/nonces`)).toMatchObject({ last_executed_tx_nonce: 5 });
  expect(await get(`/extended/v1/address/${alice}/nonces?block_height=1`)).toMatchObject({ possible_next_nonce: 1 });
  expect(await get(`/extended/v1/address/${addressOf(77)}/nonces`)).toMatchObject({
    last_executed_tx_nonce: null,
    possible_next_nonce: 0,
  });
  expect((await ask(`/extended/v1/address/${alice}/nonces?block_height=9`)).status).toBe(404);
  expect((await ask(`/extended/v1/address/${alice}/nonces?block_hash=abc`)).status).toBe(400);
});

test('vesting amounts and their unlocked parts appear only in the balances of their owner', async t => {
  const vesting = [
    { ordinal: 0, owner: bob, amount: '70', height: 4 },
    { ordinal: 1, owner: bob, amount: '50', height: 2 },
    { ordinal: 2, owner: bob, amount: '5', height: 9 },
  ];
  const api = await serveChain(t, [{ path: genesisNamesPath, body: { vesting } }, ...makeBlocks()]);
  const unlock_schedule = [
    { amount: '50', block_height: 2 },
    { amount: '70', block_height: 4 },
    { amount: '5', block_height: 9 },
  ];
  const { stx, token_offering_locked } = await api.get(`/extended/v1/address/${bob}/balances`);
  expect(token_offering_locked).toEqual({ total_locked: '5', total_unlocked: '120', unlock_schedule });
  expect(stx).not.toHaveProperty('token_offering_locked');
  const then = await api.get(`/extended/v1/address/${bob}/stx?until_block=3`);
  expect(then.token_offering_locked).toEqual({ total_locked: '75', total_unlocked: '50', unlock_schedule });
  for (const path of [`${carol}/stx`, `${carol}/balances`]) {
    expect(await api.get(`/extended/v1/address/${path}`)).not.toHaveProperty('token_offering_locked');
  }
});
