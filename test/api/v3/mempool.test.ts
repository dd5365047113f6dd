import { parsePrincipal } from '@cairn-stacks/codec/address/principal';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import { expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';
import { walk } from '../../support/cursor-walk.ts';
import { addressAt, transfer } from '../../support/mempool.ts';
import { arrivals, startMempoolApi } from '../../support/mempool-api.ts';
import { testNetwork } from '../../support/service.ts';

type Pending = { tx_id: string; receipt_time: number };

const list = '/extended/v3/mempool/transactions';
const v3 = '/extended/v3/principals';

const idsOf = (rows: Pending[]) => rows.map(row => row.tx_id);

const low = transfer({ from: 500, nonce: 0, fee: 200, amount: 5, to: 600 });
const high = transfer({ from: 501, nonce: 0, fee: 900, amount: 7, to: 600 });
const next = transfer({ from: 500, nonce: 3, fee: 400, amount: 11, to: 601 });
const sponsored = transfer({ from: 502, nonce: 0, fee: 300, to: 602, sponsor: { account: 503, nonce: 4 } });
const call = makeTransaction({
  network: testNetwork,
  origin: { account: accountAt(500, false), nonce: 1n },
  fee: 50n,
  payload: {
    type: 'contract_call',
    contract: { ...parsePrincipal(addressAt(501)), name: 'shop' },
    functionName: 'open',
    args: [Uint8Array.of(3)],
  },
  sign: false,
});

test('pending transactions are listed newest first, those of one second by id', async t => {
  const { get } = await startMempoolApi(t, [arrivals(low), arrivals(high, next, sponsored), arrivals(call)]);
  const old = await get('/extended/v1/tx/mempool?limit=50');
  const rows = await walk<Pending>(get, list, 50);
  for (const limit of [1, 2]) expect(await walk<Pending>(get, list, limit)).toEqual(rows);
  const together = [high, next, sponsored].map(each => each.txId).sort();
  expect(idsOf(rows)).toEqual([call.txId, ...together.reverse(), low.txId]);
  expect(idsOf(rows).sort()).toEqual(idsOf(old.results).sort());
  expect((await get(list)).total).toBe(5);
  expect(rows.at(-1)).toEqual({
    tx_id: low.txId,
    sender: { address: addressAt(500), nonce: 0 },
    sponsor: null,
    fee_rate: '200',
    receipt_time: 1_760_000_002,
    receipt_block_height: 1,
    status: 'pending',
    type: 'token_transfer',
    token_transfer: {
      recipient: addressAt(600),
      amount: '5',
      memo: { hex: `0x${'00'.repeat(34)}`, repr: '' },
    },
  });
  expect(rows[0]).toMatchObject({
    type: 'contract_call',
    contract_call: { contract_id: `${addressAt(501)}.shop`, function_name: 'open' },
  });
});

test('a cursor holds when its transaction waits no more', async t => {
  const { get } = await startMempoolApi(t, [
    arrivals(low),
    arrivals(high),
    arrivals(next),
    { kind: 'drop', txIds: [high.txId.slice(2)], reason: 'TooExpensive', replacedBy: null },
  ]);
  const cursor = `1760000003:${high.txId}`;
  const page = await get(`${list}?cursor=${cursor}`);
  expect([page.total, idsOf(page.results)]).toEqual([2, [low.txId]]);
  expect(page.cursor).toEqual({
    next: null,
    previous: `1760000004:${next.txId}`,
    current: `1760000002:${low.txId}`,
  });
  expect(idsOf((await get(`${list}?cursor=${cursor.replace('0x', '')}`)).results)).toEqual([low.txId]);
  expect(idsOf((await get(`${list}?cursor=${'9'.repeat(30)}:${low.txId}`)).results)).toEqual([next.txId, low.txId]);
  const nothing = { next: null, previous: null, current: null };
  expect(await get(`${list}?cursor=0:${low.txId}`)).toEqual({ total: 0, limit: 20, cursor: nothing, results: [] });
  await get(`${list}?cursor=1:0x12`, 400);
});

test('an account sees transactions that it sends, pays for or receives', async t => {
  const { get } = await startMempoolApi(t, [
    arrivals(low),
    arrivals(high),
    arrivals(next),
    arrivals(sponsored),
    arrivals(call),
  ]);
  const of = async (principal: string) => {
    const url = `${v3}/${principal}/mempool/transactions`;
    const rows = await walk<Pending>(get, url, 1);
    expect((await get(url)).total).toBe(rows.length);
    return idsOf(rows);
  };
  expect(await of(addressAt(500))).toEqual([call.txId, next.txId, low.txId]);
  expect(await of(addressAt(600))).toEqual([high.txId, low.txId]);
  expect(await of(addressAt(503))).toEqual([sponsored.txId]);
  expect(await of(`${addressAt(501)}.shop`)).toEqual([call.txId]);
  expect(await of(addressAt(700))).toEqual([]);
});

test('a pending transaction is found with requested fields, a dropped one is not', async t => {
  const { get } = await startMempoolApi(t, [
    arrivals(low, call),
    { kind: 'drop', txIds: [low.txId.slice(2)], reason: 'TooExpensive', replacedBy: null },
  ]);
  const url = `/extended/v3/transactions/${call.txId}`;
  const plain = await get(url);
  expect(plain).toMatchObject({ status: 'pending', replaced_by_tx_id: null, receipt_block_height: 1 });
  expect(plain.contract_call).not.toHaveProperty('function_args');
  const asked = await get(`${url}?include=function_args,post_conditions,result`);
  expect(asked.contract_call.function_args).toEqual([{ hex: '0x03', repr: 'true' }]);
  expect(asked.post_conditions).toEqual([]);
  expect(asked).not.toHaveProperty('result');
  await get(`/extended/v3/transactions/${low.txId}`, 404);
  expect((await get(`${url}/events`, 400)).message).toBe('Transaction not found');
});

test('pending transactions count for balances and nonces', async t => {
  const { get } = await startMempoolApi(t, [arrivals(low), arrivals(next), arrivals(sponsored)]);
  expect((await get(`${v3}/${addressAt(500)}/balances/stx`)).mempool).toEqual({
    estimated_balance: String(-(5 + 200 + 11 + 400)),
    inbound: '0',
    outbound: String(5 + 200 + 11 + 400),
  });
  expect((await get(`${v3}/${addressAt(600)}/balances/stx`)).mempool).toEqual({
    estimated_balance: '5',
    inbound: '5',
    outbound: '0',
  });
  expect(await get(`${v3}/${addressAt(500)}/nonces`)).toEqual({
    next_nonce: 4,
    last_confirmed_nonce: null,
    mempool: { last_nonce: 3, pending_nonces: [], missing_nonces: [] },
  });
  expect(await get(`${v3}/${addressAt(503)}/nonces`)).toMatchObject({
    next_nonce: 5,
    mempool: { last_nonce: 4, pending_nonces: [], missing_nonces: [] },
  });
});

test('before the first block lists are empty and balances unknown', async t => {
  const { app } = await startApi(t);
  const ask = async (url: string) => (await app.inject(url)).json();
  for (const url of ['/extended/v3/transactions', list, `${v3}/${addressAt(1)}/transactions`]) {
    expect(await ask(url)).toMatchObject({ total: 0, results: [] });
  }
  for (const url of [`${v3}/${addressAt(1)}/balances/stx`, '/extended/v3/tokens/stx/supply']) {
    expect(await ask(url)).toMatchObject({ statusCode: 404, message: 'no current block' });
  }
  expect(await ask(`${v3}/${addressAt(1)}/nonces`)).toMatchObject({ next_nonce: 0, last_confirmed_nonce: null });
});
