import { expect, test } from 'vitest';
import { startApi } from '../support/api.ts';
import { testChain } from '../support/chain.ts';
import { foldAll } from '../support/service.ts';

type Context = Parameters<typeof startApi>[0];

const hashOf = (byte: number) => `0x${byte.toString(16).padStart(2, '0').repeat(32)}`;
const alice = 'mhYeZXrSEuyf2wbJ14qZ2apG7ofMLDj9Ss';
const bob = 'mpWnSpLpZwcNLoBjeDiTRvRTNnyYYsXRtN';
/** The Stacks address with the hash of alice's Bitcoin address. */
const aliceStacks = 'STB44HYPYAT2BB2QE513NSP81HTMYWBJP02HPGK6';

type Paid = { recipient: string; amt: number }[];

function burnBlock(
  height: number,
  byte: number,
  rewards: Paid,
  { slots = rewards.map(r => r.recipient), parent = byte - 1 }: { slots?: string[]; parent?: number } = {},
) {
  return {
    path: '/new_burn_block',
    body: {
      burn_block_hash: hashOf(byte),
      burn_block_height: height,
      burn_amount: 700,
      consensus_hash: `0x${'07'.repeat(20)}`,
      parent_burn_block_hash: hashOf(parent),
      reward_recipients: rewards,
      reward_slot_holders: slots,
      pox_transactions: [
        { txid: hashOf(byte + 100), reward_recipients: rewards.map((r, i) => ({ ...r, utxo_idx: i + 1 })) },
      ],
    },
  };
}

async function start(t: Context, messages: { path: string; body: object }[]) {
  const api = await startApi(t);
  const chain = testChain();
  await foldAll(api.database, [...messages, chain.genesis, chain.mine()]);
  await api.tip.refresh();
  const get = async (url: string, status = 200) => {
    const answer = await api.app.inject(url);
    expect([url, answer.statusCode]).toEqual([url, status]);
    return answer.json();
  };
  const feed = async (more: { path: string; body: object }[]) => {
    await foldAll(api.database, more);
    await api.tip.refresh();
  };
  return { get, feed, ...api };
}

const both = [
  { recipient: alice, amt: 10 },
  { recipient: bob, amt: 20 },
];
const three = [burnBlock(10, 1, both), burnBlock(11, 2, [{ recipient: alice, amt: 5 }]), burnBlock(12, 3, [])];
type Rows = { results: Record<string, unknown>[]; total: number };
const pick = (page: Rows, ...keys: string[]) => page.results.map(row => keys.map(key => row[key]));

test('rewards are listed newest first, of all and of an address', async t => {
  const { get } = await start(t, three);
  const page = await get('/extended/v1/burnchain/rewards');
  expect(Object.keys(page)).toEqual(['limit', 'offset', 'results']);
  expect(pick(page, 'burn_block_height', 'reward_recipient', 'reward_amount', 'reward_index')).toEqual([
    [11, alice, '5', 0],
    [10, bob, '20', 1],
    [10, alice, '10', 0],
  ]);
  expect(page.results[0]).toMatchObject({ canonical: true, burn_amount: '700', burn_block_hash: hashOf(2) });
  expect(pick(await get(`/extended/v1/burnchain/rewards/${alice}?limit=1&offset=1`), 'reward_amount')).toEqual([
    ['10'],
  ]);
});

test('a Stacks address is accepted for its Bitcoin form', async t => {
  const { get } = await start(t, three);
  for (const address of [alice, aliceStacks, aliceStacks.toLowerCase()]) {
    expect(await get(`/extended/v1/burnchain/rewards/${address}/total`)).toEqual({
      reward_recipient: alice,
      reward_amount: '15',
    });
  }
  expect((await get(`/extended/v1/burnchain/reward_slot_holders/${aliceStacks}`)).total).toBe(2);
  for (const bad of ['bad', `${aliceStacks}.name`, aliceStacks.slice(0, -1), '0x1234']) {
    await get(`/extended/v1/burnchain/rewards/${bad}`, 400);
  }
});

test('reward slots are listed with their number', async t => {
  const { get } = await start(t, three);
  const page = await get('/extended/v1/burnchain/reward_slot_holders');
  expect(page.total).toBe(3);
  expect(pick(page, 'burn_block_height', 'slot_index', 'address')).toEqual([
    [11, 0, alice],
    [10, 1, bob],
    [10, 0, alice],
  ]);
  expect(await get('/extended/v1/burnchain/reward_slot_holders?offset=3')).toMatchObject({ total: 0, results: [] });
});

test('who seems to have paid a block commit is returned on request, by either name of the field, over a Bitcoin fork', async t => {
  const paid = (message: ReturnType<typeof burnBlock>, more: object) => {
    const [transaction] = message.body.pox_transactions;
    return { ...message, body: { ...message.body, pox_transactions: [{ ...transaction, ...more }] } };
  };
  const { get, feed } = await start(t, [
    three[0]!,
    paid(three[1]!, { miner_address: bob }),
    paid(burnBlock(12, 3, both), { apparent_sender: alice, miner_address: bob, fee_rate: 7 }),
    paid(burnBlock(13, 4, both), { apparent_sender: null }),
  ]);
  const payersOf = async (height: number) =>
    pick(await get(`/extended/v2/burn-blocks/${height}/pox-transactions?include=payer`), 'payer');
  expect(await payersOf(10)).toEqual([[null], [null]]);
  expect(await payersOf(11)).toEqual([[bob]]);
  expect(await payersOf(12)).toEqual([[alice], [alice]]);
  expect(await payersOf(13)).toEqual([[null], [null]]);
  const [plain] = (await get('/extended/v2/burn-blocks/12/pox-transactions')).results;
  expect(plain).not.toHaveProperty('payer');
  const toAlice = await get(`/extended/v2/addresses/${aliceStacks}/pox-transactions?include=payer`);
  expect(pick(toAlice, 'burn_block_height', 'payer')).toContainEqual([12, alice]);
  await get('/extended/v2/burn-blocks/12/pox-transactions?include=all', 400);
  const { unknown } = await get('/extended/v1/status/ingest');
  expect(unknown).toMatchObject([{ kind: 'field', name: 'pox_transaction.fee_rate', events: 1 }]);
  // Another branch takes the place of the last blocks.
  await feed([paid(burnBlock(12, 5, both, { parent: 2 }), { apparent_sender: bob }), burnBlock(13, 6, both)]);
  expect(await payersOf(12)).toEqual([[bob], [bob]]);
});

test('outputs of block commits are found by burn block and by address', async t => {
  const { get } = await start(t, three);
  const ofBlock = await get('/extended/v2/burn-blocks/10/pox-transactions');
  expect(ofBlock.total).toBe(2);
  expect(ofBlock.results[1]).toEqual({
    burn_block_height: 10,
    burn_block_hash: hashOf(1),
    tx_id: hashOf(101),
    recipient: bob,
    utxo_idx: 2,
    amount: '20',
  });
  expect((await get(`/extended/v2/burn-blocks/${hashOf(2)}/pox-transactions`)).total).toBe(1);
  expect((await get('/extended/v2/burn-blocks/12/pox-transactions')).total).toBe(0);
  await get('/extended/v2/burn-blocks/99999/pox-transactions', 404);
  expect(pick(await get(`/extended/v2/addresses/${aliceStacks}/pox-transactions`), 'burn_block_height')).toEqual([
    [11],
    [10],
  ]);
});

test('the same burn block again changes nothing; another one at its height takes everything above away', async t => {
  const { get, feed } = await start(t, three);
  await feed([three[0]!]);
  expect((await get(`/extended/v1/burnchain/rewards/${alice}/total`)).reward_amount).toBe('15');
  await feed([burnBlock(11, 9, [{ recipient: bob, amt: 1 }], { parent: 1 })]);
  expect((await get(`/extended/v1/burnchain/rewards/${alice}/total`)).reward_amount).toBe('10');
  expect((await get(`/extended/v1/burnchain/rewards/${bob}/total`)).reward_amount).toBe('21');
  expect((await get('/extended/v1/burnchain/reward_slot_holders')).total).toBe(3);
  expect(pick(await get('/extended/v1/burnchain/rewards'), 'burn_block_height', 'burn_block_hash')).toEqual([
    [11, hashOf(9)],
    [10, hashOf(1)],
    [10, hashOf(1)],
  ]);
});
