import type { Action } from '@cairn-stacks/devnet/chain/action';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { expect, test } from 'vitest';
import { messagesOf, testChain } from '../support/chain.ts';
import { v1, v2 } from '../support/names-chain.ts';
import { addressOf, type ServedChain, serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';

const [alice, bob] = [0, 1].map(addressOf) as [string, string];
const deploy = (name: string, from = 0): Action => ({ kind: 'deploy', from, name });
const mint = (contract: string): Action => ({
  kind: 'call',
  from: 0,
  contract: `${alice}.${contract}`,
  call: { name: 'mint', amount: 5n, to: bob },
});

type Found = { type: string } & Record<string, unknown>;
const finderOf = ({ get }: ServedChain) => {
  return async (q: string): Promise<Found[]> => (await get(`/extended/v1/search?q=${encodeURIComponent(q)}`)).results;
};
const contractsIn = (found: readonly Found[]) =>
  found.filter(hit => hit.type === 'contract').map(hit => hit.contract_id);

async function add(api: ServedChain, block: BuiltBlock) {
  await foldAll(api.database, messagesOf(block));
  await until(() => api.tip.current?.indexHash.toString('hex') === block.indexHash.replace(/^0x/, ''));
}

test('people find heights, hashes, addresses, names, tokens and contracts, the best first', async t => {
  const chain = testChain({ accounts: 3 });
  const one = chain.mine(chain.genesis, {
    transactions: [
      deploy('my-gold'),
      deploy('gold'),
      deploy('gold-mine'),
      mint('gold-mine'),
      v2(0, { name: 'namespace-launch', namespace: 'btc', lifetime: 0, launchedAt: 1 }),
      v2(0, { name: 'name-register', fqn: 'gold.btc', id: 1, renewal: 0 }),
      v2(1, { name: 'name-airdrop', fqn: 'golden.btc', id: 2, to: bob }),
      v1(0, { name: 'namespace-ready', namespace: 'id', lifetime: 10, launchedAt: 1 }),
      v1(0, { name: 'name-register', fqn: 'goldie.id', zonefile: 'ab'.repeat(20) }),
    ],
    tenure: 'new',
  });
  const api = await serveChain(t, [chain.genesis, one]);
  const find = finderOf(api);

  const gold = await find('GOLD');
  expect(gold.map(hit => [hit.type, hit.asset_identifier ?? hit.name ?? hit.contract_id])).toEqual([
    ['name', 'gold.btc'],
    ['contract', `${alice}.gold`],
    ['name', 'golden.btc'],
    ['name', 'goldie.id'],
    ['token', `${alice}.gold-mine::coin`],
    ['contract', `${alice}.gold-mine`],
    ['contract', `${alice}.my-gold`],
  ]);
  expect(gold[0]).toEqual({ type: 'name', name: 'gold.btc', version: 2, owner: alice });
  expect(gold[2]).toMatchObject({ owner: bob });
  expect(gold[4]).toEqual({
    ...{ type: 'token', asset_identifier: `${alice}.gold-mine::coin`, asset_type: 'ft' },
    ...{ name: null, symbol: null },
  });
  expect((await find('go')).map(hit => hit.name)).toEqual(['gold.btc', 'golden.btc', 'goldie.id']);

  const { transactions } = one;
  const id = transactions.at(-1)!.txId;
  for (const q of [id, id.slice(0, 12), id.replace('0x', '').slice(0, 10).toUpperCase()]) {
    expect((await find(q))[0]).toEqual({ type: 'transaction', tx_id: id });
  }
  expect((await find('1'))[0]).toMatchObject({ type: 'block', height: 1, index_block_hash: expect.any(String) });
  expect(await find(one.hash)).toMatchObject([{ type: 'block', height: 1 }]);
  const burn = String(one.burn.height);
  expect(await find(burn)).toMatchObject([{ type: 'bitcoin_block', height: one.burn.height }]);
  expect((await find(bob.slice(0, 10)))[0]).toEqual({ type: 'address', principal: bob });
  expect(contractsIn(await find(`${alice}.gold`))).toEqual([`${alice}.gold`, `${alice}.gold-mine`]);
  expect(await find('no-such-name')).toEqual([]);
  for (const q of ['', ' ', 'a', 'ü', 'x'.repeat(257)]) {
    expect((await api.ask(`/extended/v1/search?q=${encodeURIComponent(q)}`)).status, q).toBe(400);
  }
  // Without a term it is the search by an empty id, which clients know as an unknown URL.
  expect((await api.ask('/extended/v1/search')).status).toBe(404);
  // The old search by id is at the path below.
  expect((await api.get(`/extended/v1/search/${id}`)).result.entity_id).toBe(id);
});

test('a contract is found from its block on until a fork removes it, by both searches', async t => {
  const chain = testChain();
  const one = chain.mine(chain.genesis, { transactions: [deploy('first-thing')] });
  const lost = chain.mine(one, { transactions: [deploy('lost-thing'), mint('lost-thing')] });
  const two = chain.mine(one, { transactions: [deploy('second-thing')] });
  const three = chain.mine(two, { transactions: [deploy('third-thing')] });
  const api = await serveChain(t, [chain.genesis, one]);
  const find = finderOf(api);
  const findBoth = async () => {
    const { results } = await api.get('/extended/v3/search?q=thing&type=smart_contract');
    const v3 = results.map(({ result }: { result: { contract_id: string } }) => result.contract_id);
    expect(contractsIn(await find('thing'))).toEqual(v3);
    return v3.map((id: string) => id.replace(`${alice}.`, ''));
  };
  expect(await findBoth()).toEqual(['first-thing']);
  await add(api, lost);
  expect(await findBoth()).toEqual(['lost-thing', 'first-thing']);
  expect((await find('lost-thing')).map(hit => hit.type)).toEqual(['token', 'contract']);
  await foldAll(api.database, messagesOf(two));
  await add(api, three);
  expect(await findBoth()).toEqual(['third-thing', 'second-thing', 'first-thing']);
  // The name of the token outlives the events of the removed block.
  expect(await find('lost-thing')).toEqual([]);
});
