import { burnMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { expect, test } from 'vitest';
import { testChain } from '../support/chain.ts';
import { deposit, hash32, user, withSbtc } from '../support/sbtc-chain.ts';
import { other } from '../support/sbtc-story.ts';
import { serveChain } from '../support/served-chain.ts';

const base = '/extended/v1/sbtc';

test('a filtered list is counted up to 10,000, and large deposits are found among many', async t => {
  const chain = testChain({ seed: 43, release: '4.0' });
  const blocks = [chain.mine(chain.genesis, { tenure: 'new' })];
  for (let i = 0; i < 10; i++) blocks.push(chain.mine(blocks.at(-1), { tenure: 'new' }));
  const sweep = { tx: hash32('s'), hash: blocks[0]!.burn.hash.slice(2), height: blocks[0]!.burn.height };
  const amountOf = (n: number) => (n % 2_500 === 7 ? 900_000 + n : 1_000 + (n % 7));
  const many = Array.from({ length: 10_010 }, (_, n) => ({
    tx: hash32(n),
    vout: 0,
    amount: amountOf(n),
    to: user,
    sweep,
  }));
  const posted = blocks.flatMap((block, i) => [
    ...block.burnBlocks.map(burnMessage),
    withSbtc(block, [many.slice(i * 910, (i + 1) * 910).flatMap(spec => deposit(spec))]),
  ]);
  const { get } = await serveChain(t, [chain.genesis, ...posted]);
  const list = async (query: string) => await get(`${base}/deposits?${query}`);
  const large = many.filter(({ amount }) => amount > 100_000).map(({ amount }) => String(amount));
  const amountsOf = (results: { amount: string }[]) => results.map(({ amount }) => amount);
  const found = await list('min_amount=100000');
  expect([found.total, amountsOf(found.results)]).toEqual([large.length, large.toReversed()]);
  const pages = [await list(`min_amount=100000&recipient=${user}&limit=2`)];
  pages.push(await list(`min_amount=100000&recipient=${user}&limit=2&cursor=${pages[0].cursor.next}`));
  expect(pages.flatMap(({ results }) => amountsOf(results))).toEqual(large.toReversed().slice(0, 4));
  expect(pages[1].cursor.previous).toBe(pages[0].cursor.current);
  expect((await list(`min_amount=100000&recipient=${other}`)).total).toBe(0);
  const dense = many.filter(({ amount }) => amount >= 1_000).toReversed();
  const all = await list('min_amount=1000&limit=100');
  expect([all.total, amountsOf(all.results)]).toEqual([null, dense.slice(0, 100).map(({ amount }) => String(amount))]);
  expect((await list(`recipient=${user}&limit=1`)).total).toBeNull();
  expect((await list('limit=1')).total).toBe(many.length);
  expect((await get(`${base}/principals/${user}?limit=1`)).total).toBeNull();
});
