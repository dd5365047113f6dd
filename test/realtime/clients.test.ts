import { mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import * as client9 from '@stacks/blockchain-api-client';
import * as client8 from 'blockchain-api-client-8';
import { io } from 'socket.io-client';
import { expect, onTestFinished, test } from 'vitest';
import { testChain } from '../support/chain.ts';
import { transfer } from '../support/mempool.ts';
import { RecordedCalls } from '../support/recorded-calls.ts';
import { addressOf } from '../support/served-chain.ts';
import { until } from '../support/service.ts';
import { type Ending, type Json, startIdle, startLive } from './support.ts';

const [alice, bob] = [addressOf(0), addressOf(1)] as const;
const contract = `${alice}.tokens`;
const asset = `${contract}::item`;
/** u1 as bytes. */
const value = `0x01${'0'.repeat(31)}1`;

/** A chain whose block 2 has something for every topic but microblocks, and a transaction that waits. */
function makeChain() {
  const chain = testChain();
  const first = chain.mine(chain.genesis, { transactions: [{ kind: 'deploy', from: 0, name: 'tokens' }] });
  const second = chain.mine(first, {
    transactions: [
      { kind: 'call', from: 0, contract, call: { name: 'mint-item', item: 1, to: bob } },
      { kind: 'transfer', from: 0, to: bob, amount: 5n },
    ],
  });
  return { chain, first, second, txId: second.transactions.at(-1)!.txId, waiting: transfer({ from: 3, nonce: 0 }) };
}

async function startOnBlock1(t: Ending) {
  const made = makeChain();
  const live = await startLive(t);
  await live.post(made.chain.genesis, made.first);
  await until(async () => live.tip.current?.height === 1);
  return { ...made, live };
}

/** Keeps what each listener got. */
function recorder() {
  const got: Record<string, Json[]> = {};
  const keep =
    (name: string) =>
    (...args: Json[]) => {
      got[name] ??= [];
      got[name].push(args.length === 1 ? args[0] : args);
    };
  return { got, keep };
}

const majors = [
  { major: 9, ...client9 },
  { major: 8, ...(client8 as unknown as typeof client9) },
];

/** The methods of a class that subscribe or unsubscribe. */
const subscriptionsOf = (of: { prototype: object }) =>
  Object.getOwnPropertyNames(of.prototype).filter(name => /^(un)?subscribe/.test(name));

test.each(majors)('the WebSocket client $major hears every topic, and no more once it has unsubscribed', async api => {
  const t = { onTestFinished };
  const { live, second, txId, waiting, chain } = await startOnBlock1(t);
  const calls = new RecordedCalls();
  const client = calls.watch(await api.connectWebSocketClient(`ws://127.0.0.1:${live.port}/extended/v1/ws`));
  t.onTestFinished(async () => client.webSocket.close());
  const { got, keep } = recorder();
  const blocks = await client.subscribeBlocks(keep('block'));
  await client.subscribeMicroblocks(keep('microblock'));
  await client.subscribeMempool(keep('mempool'));
  await client.subscribeTxUpdates(txId, keep('tx'));
  await client.subscribeAddressTransactions(bob, keep('address'));
  await client.subscribeAddressBalanceUpdates(bob, keep('balance'));
  await client.subscribeNftEventUpdates(keep('nft'));
  await client.subscribeNftAssetEventUpdates(asset, value, keep('item'));
  await client.subscribeNftCollectionEventUpdates(asset, keep('collection'));
  await live.post(mempoolMessage([waiting]), second);
  await until(async () => got.nft && got.balance && got.mempool);
  expect(got.block?.map(b => b.hash)).toEqual([second.hash]);
  expect(got.mempool?.map(m => m.tx_id)).toEqual([waiting.txId]);
  expect(got.tx?.map(m => m.tx_status)).toEqual(['success']);
  expect(got.address?.map(m => m.address)).toEqual([bob, bob]);
  expect(got.balance?.map(m => m.total_received)).toEqual([expect.any(String)]);
  for (const name of ['nft', 'item', 'collection']) expect(got[name]?.map(m => m.asset_identifier)).toEqual([asset]);
  expect(got.nft?.[0]).toMatchObject({ asset_event_type: 'mint', sender: null, recipient: expect.any(String) });
  await blocks.unsubscribe();
  await live.post(chain.mine(second, { transactions: [{ kind: 'transfer', from: 0, to: bob, amount: 1n }] }));
  await until(async () => got.balance?.length === 2);
  expect(got.block?.length).toBe(1);
  expect(calls.missing(api.StacksApiWebSocketClient.prototype)).toEqual([]);
});

test.each(majors)('the Socket.IO client $major hears every topic, and no more once it has unsubscribed', async api => {
  const t = { onTestFinished };
  const { live, second, txId, waiting, chain } = await startOnBlock1(t);
  const client = api.StacksApiSocketClient.connect({ url: `http://127.0.0.1:${live.port}`, subscriptions: ['block'] });
  t.onTestFinished(async () => void client.socket.disconnect());
  await new Promise<void>(resolve => client.socket.once('connect', resolve));
  const { got, keep } = recorder();
  const joined: Record<string, () => object> = {
    subscribeBlocks: () => client.subscribeBlocks(keep('block')),
    subscribeMicroblocks: () => client.subscribeMicroblocks(keep('microblock')),
    subscribeMempool: () => client.subscribeMempool(keep('mempool')),
    subscribeTransaction: () => client.subscribeTransaction(txId, keep('tx')),
    subscribeAddressTransactions: () => client.subscribeAddressTransactions(bob, keep('address')),
    subscribeAddressStxBalance: () => client.subscribeAddressStxBalance(bob, keep('balance')),
    subscribeNftEvent: () => client.subscribeNftEvent(keep('nft')),
    subscribeNftAssetEvent: () => client.subscribeNftAssetEvent(asset, value, keep('item')),
    subscribeNftCollectionEvent: () => client.subscribeNftCollectionEvent(asset, keep('collection')),
  };
  for (const join of Object.values(joined)) join();
  // Requests of a connection are taken in order.
  await client.socket.emitWithAck('subscribe', 'microblock');
  await live.post(mempoolMessage([waiting]), second);
  await until(async () => got.nft && got.balance && got.mempool);
  expect(got.block?.map(b => b.hash)).toEqual([second.hash]);
  expect(got.mempool?.map(m => m.tx_id)).toEqual([waiting.txId]);
  expect(got.tx?.map(m => m.tx_status)).toEqual(['success']);
  expect(got.address?.map(([principal, { tx }]) => [principal, tx.tx_status])).toEqual([
    [bob, 'success'],
    [bob, 'success'],
  ]);
  expect(got.balance?.map(([principal, balance]) => [principal, Object.keys(balance)[0]])).toEqual([[bob, 'balance']]);
  expect(got.item?.map(args => args.slice(0, 2))).toEqual([[asset, value]]);
  expect(got.collection?.map(([id, event]) => [id, event.asset_event_type])).toEqual([[asset, 'mint']]);
  const left: Record<string, () => void> = {
    unsubscribeBlocks: () => client.unsubscribeBlocks(),
    unsubscribeMicroblocks: () => client.unsubscribeMicroblocks(),
    unsubscribeMempool: () => client.unsubscribeMempool(),
    unsubscribeTransaction: () => client.unsubscribeTransaction(txId),
    unsubscribeAddressTransactions: () => client.unsubscribeAddressTransactions(bob),
    unsubscribeNftEvent: () => client.unsubscribeNftEvent(),
    unsubscribeNftAssetEvent: () => client.unsubscribeNftAssetEvent(asset, value),
    unsubscribeNftCollectionEvent: () => client.unsubscribeNftCollectionEvent(asset),
  };
  for (const leave of Object.values(left)) leave();
  const before = Object.entries(got).map(([name, messages]) => [name, messages.length + (name === 'balance' ? 1 : 0)]);
  await live.post(chain.mine(second, { transactions: [{ kind: 'transfer', from: 0, to: bob, amount: 1n }] }));
  await until(async () => got.balance?.length === 2);
  expect(Object.entries(got).map(([name, messages]) => [name, messages.length])).toEqual(before);
  // The balance is the one topic that is still heard, and leaves last.
  client.unsubscribeAddressStxBalance(bob);
  const tested = [...Object.keys(joined), ...Object.keys(left), 'unsubscribeAddressStxBalance'];
  expect(subscriptionsOf(api.StacksApiSocketClient).sort()).toEqual(tested.sort());
});

test('a Socket.IO handshake with a wrong topic is refused by name; a wrong subscription is not confirmed', async t => {
  const { port } = await startIdle(t, { maxSubscriptions: 3 });
  const open = (query: string) => {
    const socket = io(`http://127.0.0.1:${port}`, {
      transports: ['websocket'],
      reconnection: false,
      query: { subscriptions: query },
    });
    t.onTestFinished(async () => void socket.disconnect());
    return socket;
  };
  const refused = open('block,bogus,transaction:zz');
  const [error] = await new Promise<[Error]>(resolve => refused.once('connect_error', e => resolve([e])));
  expect(error.message).toBe('Invalid topic: bogus, transaction:zz');
  const socket = open('block');
  await new Promise<void>(resolve => socket.once('connect', resolve));
  expect(await socket.emitWithAck('subscribe', ['mempool', 'microblock'])).toBe(null);
  expect(await socket.emitWithAck('subscribe', 'nft-event')).toMatch('3 subscriptions');
  let confirmed = false;
  socket.emit('subscribe', 'bogus', () => {
    confirmed = true;
  });
  for (const odd of [null, 5, {}, [['block']], ['x'.repeat(5000)], undefined]) socket.emit('subscribe', odd);
  socket.emit('unsubscribe', null, 5, 'mempool', ['microblock']);
  expect(await socket.emitWithAck('subscribe', ['nft-event', 'mempool'])).toBe(null);
  expect(confirmed).toBe(false);
});
