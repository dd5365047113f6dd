import { once } from 'node:events';
import { uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { toHex } from '@cairn-stacks/codec/hex';
import { dropMessage, mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { expect, test } from 'vitest';
import { testChain } from '../support/chain.ts';
import { transfer } from '../support/mempool.ts';
import { pox, sbtcStory } from '../support/sbtc-story.ts';
import { addressOf } from '../support/served-chain.ts';
import { positionOf, until } from '../support/service.ts';
import { openClient, startLive } from './support.ts';

const [alice, bob] = [addressOf(0), addressOf(1)] as const;

/** A chain where Alice pays Bob in block 2. */
function makeChain() {
  const chain = testChain();
  const first = chain.mine(chain.genesis, { transactions: [] });
  const second = chain.mine(first, { transactions: [{ kind: 'transfer', from: 0, to: bob, amount: 5n, fee: 3n }] });
  return { chain, first, second };
}

test('a block, its transactions and its accounts are sent to their subscribers', async t => {
  const { chain, first, second } = makeChain();
  const live = await startLive(t);
  const payment = second.transactions.at(-1)!;
  await live.post(chain.genesis, first);
  await until(async () => live.tip.current?.height === 1);
  const client = await openClient(t, live.port);
  const other = await openClient(t, live.port);
  for (const event of ['block', 'microblock', 'mempool', 'nft_event']) await client.subscribe({ event });
  await client.subscribe({ event: 'tx_update', tx_id: payment.txId });
  await client.subscribe({ event: 'address_tx_update', address: bob });
  await client.subscribe({ event: 'address_balance_update', address: alice });
  await other.subscribe({ event: 'block' });
  await other.ask('unsubscribe', { event: 'block' });
  await live.post(second);
  await until(async () => client.told('address_balance_update').length === 1);
  expect(client.told('block').map(({ height, hash, canonical }) => ({ height, hash, canonical }))).toEqual([
    { height: 2, hash: second.hash, canonical: true },
  ]);
  expect(client.told('tx_update')[0]).toMatchObject({ tx_id: payment.txId, tx_status: 'success', block_height: 2 });
  expect(client.told('address_tx_update')[0]).toMatchObject({
    address: bob,
    tx_id: payment.txId,
    tx_type: 'token_transfer',
    stx_sent: '0',
    stx_received: '5',
    stx_transfers: [{ amount: '5', sender: alice, recipient: bob }],
  });
  expect(client.told('address_balance_update')[0]).toMatchObject({
    address: alice,
    total_sent: '5',
    total_fees_sent: '3',
  });
  expect(other.received.filter(m => m.method)).toEqual([]);
});

test('every subscription of a kind is kept, whatever the pings', async t => {
  const { chain, first, second } = makeChain();
  const live = await startLive(t, { pingMs: 500 });
  await live.post(chain.genesis, first);
  const client = await openClient(t, live.port);
  for (const address of [alice, bob]) await client.subscribe({ event: 'address_tx_update', address });
  await once(client.ws, 'ping');
  await once(client.ws, 'ping');
  await live.post(second);
  await until(async () => client.told('address_tx_update').length === 2);
  expect(
    client
      .told('address_tx_update')
      .map(m => m.address)
      .sort(),
  ).toEqual([alice, bob].sort());
});

test('a fork is announced: its blocks, transactions that are pending again, and removed blocks to those who subscribe to them', async t => {
  const { chain, first, second } = makeChain();
  const rival = chain.mine(first, { transactions: [] });
  const winner = chain.mine(rival, { transactions: [] });
  const live = await startLive(t);
  await live.post(chain.genesis, first);
  await until(async () => live.tip.current?.height === 1);
  const client = await openClient(t, live.port);
  const payment = second.transactions.at(-1)!;
  await client.subscribe({ event: 'block' });
  await client.subscribe({ event: 'tx_update', tx_id: payment.txId });
  const follower = await openClient(t, live.port);
  await follower.subscribe({ event: 'removed_block' });
  const hashes = () => client.told('block').map(({ hash, canonical }) => `${canonical ? '+' : '-'}${hash}`);
  await live.post(second);
  await until(async () => hashes().length === 1);
  await live.post(rival);
  await until(async () => hashes().length === 2);
  await live.post(winner);
  await until(async () => hashes().length === 4);
  expect(hashes()).toEqual([`+${second.hash}`, `-${rival.hash}`, `+${rival.hash}`, `+${winner.hash}`]);
  expect(follower.told('removed_block')).toEqual([
    expect.objectContaining({ hash: second.hash, height: second.height, canonical: false }),
  ]);
  await until(async () => client.told('tx_update').at(-1)?.tx_status === 'pending');
});

test('blocks that a fork removed before they were announced are announced unchanged', async t => {
  const { chain, first, second } = makeChain();
  const rival = chain.mine(first, { transactions: [] });
  const winner = chain.mine(rival, { transactions: [] });
  const live = await startLive(t);
  await live.post(chain.genesis, first);
  await until(async () => live.tip.current?.height === 1);
  const client = await openClient(t, live.port);
  const payment = second.transactions.at(-1)!;
  await client.subscribe({ event: 'block' });
  await client.subscribe({ event: 'mempool' });
  await client.subscribe({ event: 'tx_update', tx_id: payment.txId });
  // Nothing is heard of the fold for a while, as where the machine is busy.
  await live.tip.stop();
  for (const message of [mempoolMessage([payment]), second, rival, winner]) await live.post(message);
  await until(async () => (await positionOf(live.database.sql)).height === winner.height);
  await live.tip.refresh();
  await until(async () => client.told('block').at(-1)?.hash === winner.hash);
  expect(client.told('block').map(({ hash, canonical }) => [hash, canonical])).toEqual([
    [second.hash, true],
    [rival.hash, false],
    [rival.hash, true],
    [winner.hash, true],
  ]);
  expect(client.told('block')[0]!.txs).toContain(payment.txId);
  const updates = client.told('tx_update').map(({ tx_status, canonical }) => [tx_status, canonical]);
  expect(updates.slice(0, 2)).toEqual([
    ['pending', undefined],
    ['success', true],
  ]);
  expect(client.told('mempool')[0]).toMatchObject({ tx_id: payment.txId });
});

test('a pending transaction is announced even if its block arrived before it was read', async t => {
  const { chain, first, second } = makeChain();
  const live = await startLive(t);
  await live.post(chain.genesis, first);
  await until(async () => live.tip.current?.height === 1);
  const client = await openClient(t, live.port);
  await client.subscribe({ event: 'mempool' });
  await live.tip.stop();
  const payment = second.transactions.at(-1)!;
  await live.post(mempoolMessage([payment]));
  await live.post(second);
  await until(async () => (await positionOf(live.database.sql)).height === second.height);
  await live.tip.refresh();
  await until(async () => client.told('mempool').length === 1);
  expect(client.told('mempool')[0]).toMatchObject({ tx_id: payment.txId, tx_status: 'pending' });
});

test('pending transactions are announced on arrival and when dropped, also if they were mined at once', async t => {
  const { chain, first, second } = makeChain();
  const live = await startLive(t);
  await live.post(chain.genesis, first);
  await until(async () => live.tip.current?.height === 1);
  const client = await openClient(t, live.port);
  const lost = transfer({ from: 3, nonce: 0 });
  await client.subscribe({ event: 'mempool' });
  await client.subscribe({ event: 'tx_update', tx_id: lost.txId });
  await live.post(mempoolMessage([lost]));
  await until(async () => client.told('mempool').length === 1);
  await live.post(dropMessage([lost.txId], 'TooExpensive'));
  await until(async () => client.told('tx_update').length === 2);
  expect(client.told('tx_update').map(m => m.tx_status)).toEqual(['pending', 'dropped_too_expensive']);
  const payment = second.transactions.at(-1)!;
  await client.subscribe({ event: 'tx_update', tx_id: payment.txId });
  await live.post(mempoolMessage([payment]), second);
  await until(async () => client.told('tx_update').length === 4);
  expect(
    client
      .told('tx_update')
      .slice(2)
      .map(m => [m.tx_id, m.tx_status]),
  ).toEqual([
    [payment.txId, 'pending'],
    [payment.txId, 'success'],
  ]);
});

test('microblocks are announced once, their transactions before and after a block confirms them', async t => {
  const chain = testChain({ release: '2.4' });
  const first = chain.mine(chain.genesis, { transactions: [] });
  const pay = (amount: bigint) => [{ kind: 'transfer', from: 0, to: bob, amount }] as const;
  const [one, two] = [chain.microblock(first, pay(1n)), chain.microblock(first, pay(2n))];
  const second = chain.mine(first, { transactions: [] });
  const live = await startLive(t);
  await live.post(chain.genesis, first);
  await until(async () => live.tip.current?.height === 1);
  const client = await openClient(t, live.port);
  await client.subscribe({ event: 'microblock' });
  await client.subscribe({ event: 'address_tx_update', address: bob });
  await live.post(one);
  await until(async () => client.told('address_tx_update').length === 1);
  await live.post(two);
  await until(async () => client.told('address_tx_update').length === 2);
  await live.post(second);
  await until(async () => client.told('address_tx_update').length === 4);
  expect(client.told('microblock').map(m => m.microblock_hash)).toEqual([one.hash, two.hash]);
  expect(client.told('address_tx_update').map(m => m.tx.is_unanchored)).toEqual([true, true, false, false]);
});

test('moves of NFTs are sent to subscribers of all, of a collection, or of an item', async t => {
  const chain = testChain();
  const contract = `${alice}.tokens`;
  const asset = `${contract}::item`;
  const first = chain.mine(chain.genesis, { transactions: [{ kind: 'deploy', from: 0, name: 'tokens' }] });
  const second = chain.mine(first, {
    transactions: [1, 2].map(
      item => ({ kind: 'call', from: 0, contract, call: { name: 'mint-item', item, to: bob } }) as const,
    ),
  });
  const live = await startLive(t);
  await live.post(chain.genesis, first);
  await until(async () => live.tip.current?.height === 1);
  const client = await openClient(t, live.port);
  const value = toHex(encodeClarity(uint(2)));
  await client.subscribe({ event: 'nft_event' });
  await client.subscribe({ event: 'nft_collection_event', asset_identifier: asset });
  await client.subscribe({ event: 'nft_asset_event', asset_identifier: asset, value });
  await live.post(second);
  await until(async () => client.told('nft_asset_event').length === 1);
  expect(client.told('nft_event').length).toBe(2);
  expect(client.told('nft_collection_event').length).toBe(2);
  expect(client.told('nft_asset_event')[0]).toEqual({
    sender: null,
    recipient: bob,
    asset_identifier: asset,
    asset_event_type: 'mint',
    value: { hex: value, repr: 'u2' },
    tx_id: second.transactions.at(-1)!.txId,
    tx_index: expect.any(Number),
    block_height: 2,
    event_index: 0,
  });
});

test('what happens to sBTC is sent to subscribers of all of it, or of an account', async t => {
  const { messages } = sbtcStory();
  const first = messages.findIndex(({ path, body }) => path === '/new_block' && Object(body).block_height === 1) + 1;
  const live = await startLive(t);
  await live.post(...messages.slice(0, first));
  await until(async () => live.tip.current?.height === 1);
  const client = await openClient(t, live.port);
  await client.subscribe({ event: 'sbtc_event' });
  await client.subscribe({ event: 'address_sbtc_event', address: pox });
  await live.post(...messages.slice(first));
  await until(async () => client.told('sbtc_event').length === 8);
  expect(client.told('sbtc_event')[0]).toMatchObject({ type: 'deposit', block_height: 2, principal: pox });
  expect(client.told('address_sbtc_event')).toEqual([{ address: pox, ...client.told('sbtc_event')[0] }]);
});
