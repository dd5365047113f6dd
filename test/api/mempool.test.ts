import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import { expect, test } from 'vitest';
import type { LoggedMessage } from '../model/mempool.ts';
import { addressAt, foldMessages, transfer } from '../support/mempool.ts';
import { arrivals, node, startMempoolApi } from '../support/mempool-api.ts';
import { testNetwork } from '../support/service.ts';

const idsOf = (page: { results: { tx_id: string }[] }) => page.results.map(each => each.tx_id);

const low = transfer({ from: 500, nonce: 0, fee: 200, amount: 5, to: 600 });
const high = transfer({ from: 501, nonce: 0, fee: 900, amount: 7, to: 600 });
const next = transfer({ from: 500, nonce: 3, fee: 400, amount: 11, to: 601 });
const sponsored = transfer({ from: 502, nonce: 0, fee: 300, to: 602, sponsor: { account: 503, nonce: 4 } });

test('pending transactions are listed, newest first or in the requested order', async t => {
  const { get } = await startMempoolApi(t, [arrivals(low), arrivals(high), arrivals(next)]);
  const page = await get('/extended/v1/tx/mempool');
  expect([page.limit, page.offset, page.total]).toEqual([20, 0, 3]);
  expect(idsOf(page)).toEqual([next.txId, high.txId, low.txId]);
  expect(page.results[2]).toMatchObject({
    ...{ tx_status: 'pending', tx_type: 'token_transfer', fee_rate: '200', nonce: 0, replaced_by_tx_id: null },
    ...{ receipt_time: 1_760_000_002, receipt_time_iso: '2025-10-09T08:53:22.000Z', sponsored: false },
    token_transfer: { recipient_address: addressAt(600), amount: '5' },
  });
  expect(idsOf(await get('/extended/v1/tx/mempool?order=asc'))).toEqual([low.txId, high.txId, next.txId]);
  expect(idsOf(await get('/extended/v1/tx/mempool?order_by=fee'))).toEqual([high.txId, next.txId, low.txId]);
  expect(idsOf(await get('/extended/v1/tx/mempool?limit=1&offset=1'))).toEqual([high.txId]);
  expect(await get('/extended/v1/tx/mempool?offset=3')).toEqual({ limit: 20, offset: 3, total: 0, results: [] });
  const sizes = await get('/extended/v1/tx/mempool?include_size=true');
  expect(sizes.results).toEqual(page.results.map((each: object) => ({ ...each, size: 180 })));
});

test('lists of a principal have its sent and its received transactions', async t => {
  const { get } = await startMempoolApi(t, [arrivals(low, high, next, sponsored)]);
  const sender = addressAt(500);
  const recipient = addressAt(600);
  const sorted = async (url: string) => idsOf(await get(url)).sort();
  expect(await sorted(`/extended/v1/address/${sender}/mempool`)).toEqual([low.txId, next.txId].sort());
  expect(await sorted(`/extended/v1/address/${recipient}/mempool`)).toEqual([low.txId, high.txId].sort());
  expect(await sorted(`/extended/v1/tx/mempool?sender_address=${sender}`)).toEqual([low.txId, next.txId].sort());
  expect(await sorted(`/extended/v1/tx/mempool?recipient_address=${recipient}`)).toEqual([low.txId, high.txId].sort());
  expect(await sorted(`/extended/v1/tx/mempool?sender_address=${sender}&recipient_address=${recipient}`)).toEqual([
    low.txId,
  ]);
  expect(await sorted(`/extended/v1/tx/mempool?address=${addressAt(700)}`)).toEqual([]);
  await get(`/extended/v1/tx/mempool?address=${sender}&sender_address=${sender}`, 400);
  await get('/extended/v1/tx/mempool?address=bad', 400);
  await get(`/extended/v1/address/${sender.slice(0, -1)}/mempool`, 400);
});

test('a transaction is found while it waits and after it was dropped', async t => {
  const by = transfer({ from: 500, nonce: 0, fee: 5_000 });
  const { get } = await startMempoolApi(t, [
    arrivals(low, high),
    arrivals(by),
    { kind: 'drop', txIds: [high.txId.slice(2)], reason: 'TooExpensive', replacedBy: null },
  ]);
  expect((await get(`/extended/v1/tx/${by.txId}`)).tx_status).toBe('pending');
  expect(await get(`/extended/v1/tx/${low.txId}`)).toMatchObject({
    tx_status: 'dropped_replace_by_fee',
    replaced_by_tx_id: by.txId,
  });
  const both = await get(`/extended/v1/tx/multiple?tx_id=${by.txId},${high.txId},0x${'ab'.repeat(32)}`);
  expect(Object.values(both).map(each => (each as { found: boolean }).found)).toEqual([true, true, false]);
  expect(both[high.txId].result.tx_status).toBe('dropped_too_expensive');
  expect((await get(`/extended/v1/tx/${low.txId}/raw`)).raw_tx).toBe(low.raw);
  expect(idsOf(await get('/extended/v1/tx/mempool/dropped'))).toEqual([high.txId, low.txId]);
  expect((await get('/extended/v1/tx/mempool/dropped')).total).toBe(2);
});

test('of transactions that were dropped together the newest comes first', async t => {
  const { get } = await startMempoolApi(t, [
    arrivals(low),
    arrivals(high),
    arrivals(next),
    {
      kind: 'drop',
      txIds: [low, high, next].map(each => each.txId.slice(2)),
      reason: 'StaleGarbageCollect',
      replacedBy: null,
    },
  ]);
  expect(idsOf(await get('/extended/v1/tx/mempool/dropped'))).toEqual([next.txId, high.txId, low.txId]);
});

test('a search finds pending transactions, and dropped ones only with metadata', async t => {
  const { get } = await startMempoolApi(t, [
    arrivals(low, high),
    { kind: 'drop', txIds: [high.txId.slice(2)], reason: 'StaleGarbageCollect', replacedBy: null },
  ]);
  const found = async (id: string, query = '') => (await get(`/extended/v1/search/${id}${query}`)).result;
  expect(await found(low.txId)).toMatchObject({ entity_id: low.txId, entity_type: 'mempool_tx_id' });
  expect((await get(`/extended/v1/search/${high.txId}`, 404)).result).toEqual({ entity_type: 'unknown_hash' });
  expect(await found(high.txId, '?include_metadata=true')).toMatchObject({
    entity_type: 'mempool_tx_id',
    metadata: { tx_status: 'dropped_stale_garbage_collect' },
  });
});

test('statistics are by type, with percentiles', async t => {
  const { get } = await startMempoolApi(t, [arrivals(low, high, next)]);
  const stats = await get('/extended/v1/tx/mempool/stats');
  expect(stats.tx_type_counts).toEqual({
    token_transfer: 3,
    smart_contract: 0,
    contract_call: 0,
    poison_microblock: 0,
  });
  expect(stats.tx_simple_fee_averages.token_transfer).toEqual({ p25: 300, p50: 400, p75: 650, p95: 850 });
  expect(stats.tx_ages.token_transfer).toEqual({ p25: 1, p50: 1, p75: 1, p95: 1 });
  expect(stats.tx_byte_sizes.token_transfer).toEqual({ p25: 180, p50: 180, p75: 180, p95: 180 });
  expect(stats.tx_byte_sizes.contract_call).toEqual({ p25: null, p50: null, p75: null, p95: null });
  const priorities = { no_priority: 300, low_priority: 400, medium_priority: 650, high_priority: 850 };
  expect(await get('/extended/v2/mempool/fees')).toEqual({ all: priorities, token_transfer: priorities });
});

test('an empty mempool has zeros', async t => {
  const { get } = await startMempoolApi(t, []);
  const zeros = { no_priority: 0, low_priority: 0, medium_priority: 0, high_priority: 0 };
  expect(await get('/extended/v2/mempool/fees')).toEqual({ all: zeros });
  expect((await get('/extended/v1/tx/mempool/stats')).tx_type_counts.token_transfer).toBe(0);
  expect(await get('/extended/v1/tx/mempool')).toEqual({ limit: 20, offset: 0, total: 0, results: [] });
});

test('nonces show pending and missing nonces, and the limit of nodes', async t => {
  const { get } = await startMempoolApi(t, [arrivals(low, next, sponsored)]);
  expect(await get(`/extended/v1/address/${addressAt(500)}/nonces`)).toEqual({
    last_mempool_tx_nonce: 3,
    last_executed_tx_nonce: null,
    possible_next_nonce: 4,
    detected_missing_nonces: [2, 1],
    detected_mempool_nonces: [0],
  });
  expect((await get(`/extended/v1/address/${addressAt(503)}/nonces`)).last_mempool_tx_nonce).toBe(4);
  const chain = await get(`/extended/v1/address/${addressAt(500)}/mempool/nonces`);
  expect(chain).toMatchObject({ next_nonce: 0, ready: 1, missing_nonces: [1, 2], highest_admitted_nonce: 26 });
  expect(chain.pending.map((each: { state: string }) => each.state)).toEqual(['ready', 'waiting']);
});

test('balances estimate what pending transactions would move', async t => {
  const { get } = await startMempoolApi(t, [arrivals(low, next, sponsored)]);
  const pendingOf = async (account: number) => {
    const stx = await get(`/extended/v1/address/${addressAt(account)}/stx`);
    return [stx.pending_balance_inbound, stx.pending_balance_outbound];
  };
  expect(await pendingOf(500)).toEqual(['0', '616']);
  expect(await pendingOf(600)).toEqual(['5', '0']);
  // The sponsor pays the fee, the sender the amount.
  expect(await pendingOf(502)).toEqual(['0', '1000']);
  expect(await pendingOf(503)).toEqual(['0', '300']);
});

test('a change of the mempool changes its ETags, but not those of the chain', async t => {
  const { app, database, tip } = await startMempoolApi(t, [arrivals(low)]);
  const etagOf = async (url: string) => (await app.inject(url)).headers.etag;
  const before = [await etagOf('/extended/v1/tx/mempool'), await etagOf('/extended')];
  const again: LoggedMessage = { kind: 'arrivals', raws: [low.raw], at: 1_760_000_100, source: node };
  await foldMessages(database, [again]);
  await tip.refresh();
  expect([await etagOf('/extended/v1/tx/mempool'), await etagOf('/extended')]).toEqual(before);
  await foldMessages(database, [{ ...again, kind: 'arrivals', raws: [high.raw] }]);
  await tip.refresh();
  const after = [await etagOf('/extended/v1/tx/mempool'), await etagOf('/extended')];
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).toBe(before[1]);
});

/** A deploy of account 500 that nobody has mined. */
const deployOf = (source: string) =>
  makeTransaction({
    network: testNetwork,
    origin: { account: accountAt(500, false), nonce: 0n },
    fee: 300n,
    payload: { type: 'smart_contract', name: 'soon', source: Buffer.from(source) },
    sign: false,
  });

test('the source of a contract is shown without NUL', async t => {
  const deploy = deployOf('(print "a\u0000b")');
  const { get } = await startMempoolApi(t, [arrivals(deploy)]);
  const { smart_contract: contract } = await get(`/extended/v1/tx/${deploy.txId}`);
  expect(contract.source_code).toBe('(print "ab")');
});

test('a deploy that waits has the status pending and no height', async t => {
  const deploy = deployOf('(print u1)');
  const { get } = await startMempoolApi(t, [arrivals(deploy)]);
  const ids = [`${addressAt(500)}.soon`, `${addressAt(500)}.never`];
  expect(await get(`/extended/v2/smart-contracts/status?contract_id=${ids.join('&contract_id=')}`)).toEqual({
    [ids[0]!]: { found: true, result: { contract_id: ids[0], status: 'pending', tx_id: deploy.txId } },
    [ids[1]!]: { found: false },
  });
});
