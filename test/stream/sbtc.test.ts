import { burnMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { expect, test } from 'vitest';
import { listHeights } from '../../src/stream/feed-queries.ts';
import { deposit, hash32, user, withSbtc } from '../support/sbtc-chain.ts';
import { other, pox, registryDeployer, sbtcStory } from '../support/sbtc-story.ts';
import { serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages of any shape
type Json = any;

const itemsOf = (results: Json[]) => results.flatMap(({ sbtc = [] }) => sbtc);
const shortly = ({ block_height, type, principal, request_id, amount, fee }: Json) => [
  ...[block_height, type, principal, request_id, amount, fee],
];

/** What the story tells, block by block. */
const told = [
  [1, 'key_rotation', other, null, null, null],
  [1, 'deposit', user, null, '5000', null],
  [2, 'deposit', pox, null, '70000', null],
  [2, 'withdrawal_request', user, 1, '601', '100'],
  [3, 'withdrawal_accept', user, 1, '601', '40'],
  [3, 'withdrawal_request', user, 2, '602', '100'],
  [3, 'withdrawal_reject', user, 2, '602', '100'],
  [4, 'withdrawal_request', user, 3, '603', '100'],
  [4, 'contract_update', `${user}.sbtc-deposit-v2`, null, null, null],
  [4, 'deposit', null, null, '5000', null],
];

test('a stream of sBTC has what the registry printed, block by block, and a fork takes it back', async t => {
  const { chain, blocks, messages, burnOf } = sbtcStory();
  const api = await serveChain(t, messages);
  const page = async (query: string) => (await api.get(`/extended/v1/stream/pages?topics=sbtc&${query}`)) as Json;
  const all = await page('from_height=0');
  expect(itemsOf(all.results).map(shortly)).toEqual(told);
  const [accepted] = itemsOf(all.results).filter(({ type }) => type === 'withdrawal_accept');
  const sweep = { tx_id: `0x${hash32('sweep 2')}`, bitcoin_height: burnOf(1).height };
  expect(accepted).toMatchObject({ output: { tx_id: sweep.tx_id, vout: 3 }, sweep });
  const own = await page(`from_height=0&principal=${user}`);
  expect(itemsOf(own.results).map(shortly)).toEqual(told.filter(([, , principal]) => principal === user));
  const contract = `${registryDeployer}.sbtc-registry`;
  expect(itemsOf((await page(`from_height=0&contract=${contract}`)).results)).toHaveLength(told.length);
  expect((await page(`from_height=0&contract=${user}.sbtc-registry`)).results).toEqual([]);
  expect((await api.ask('/extended/v1/stream/pages?topics=sbtc&event_type=contract_log')).status).toBe(400);
  // A reader that is far behind is led from one block with sBTC to the next.
  const range = { above: 1, upTo: 5, limit: 10 };
  expect(await listHeights(api.database.sql, { sbtc: true }, range)).toEqual([2, 3, 4]);

  const fork = [chain.mine(blocks[2], { tenure: 'new' })];
  for (let i = 0; i < 2; i++) fork.push(chain.mine(fork.at(-1), { tenure: 'new' }));
  const late = { tx: hash32('late'), vout: 0, amount: 9, to: other, sweep: { tx: hash32('s'), ...burnOf(0) } };
  const position = await foldAll(
    api.database,
    fork.flatMap((block, i) => [...block.burnBlocks.map(burnMessage), withSbtc(block, i === 0 ? [deposit(late)] : [])]),
  );
  await until(async () => api.tip.current?.seq === Number(position.journal_seq));
  const { results } = await page(`after=${all.position}`);
  expect(results[0]).toMatchObject({ type: 'rollback', to: { height: 3 } });
  expect(itemsOf(results).map(shortly)).toEqual([[4, 'deposit', other, null, '9', null]]);
});
