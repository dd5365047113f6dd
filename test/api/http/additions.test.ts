import { expect, test } from 'vitest';
import { decodeValues } from '../../../src/http/decoded-values.ts';
import { testChain } from '../../support/chain.ts';
import { addressOf, v1, v2 } from '../../support/names-chain.ts';
import { serveChainForFile } from '../../support/served-chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: a response of any shape
type Json = any;

const [alice, bob, carol] = [0, 1, 2].map(addressOf) as [string, string, string];
const names = 'ST000000000000000000002AMW42H.bns';

const served = serveChainForFile(() => {
  const chain = testChain({ accounts: 3 });
  const ready = v1(0, { name: 'namespace-ready', namespace: 'id', lifetime: 10, launchedAt: 1 });
  const launched = v2(0, { name: 'namespace-launch', namespace: 'btc', lifetime: 1000, launchedAt: 90 });
  const one = chain.mine(chain.genesis, {
    transactions: [ready, v1(1, { name: 'name-register', fqn: 'bob.id', zonefile: '00'.repeat(20) })],
  });
  const two = chain.mine(one, {
    transactions: [
      launched,
      v2(0, { name: 'name-register', fqn: 'alice.btc', id: 1, renewal: 1200 }),
      { kind: 'transfer', from: 0, to: carol, amount: 5n },
      { kind: 'transfer', from: 0, to: bob, amount: 6n },
    ],
  });
  return [chain.genesis, one, two];
});

const { ask, get } = served;

test('decode=json shows every Clarity value as plain JSON too', async () => {
  const list = `/extended/v2/smart-contracts/${names}/logs`;
  const plain = await get(list);
  const { results } = await get(`${list}?decode=json`);
  expect(results.length).toBeGreaterThan(0);
  const shown = results.map(({ contract_log }: Json) => contract_log.value);
  const attached = { 'attachment-index': '1', metadata: { op: 'name-register', 'tx-sender': bob } };
  expect(shown.map(({ json }: Json) => json)).toContainEqual(
    expect.objectContaining({
      attachment: expect.objectContaining({ ...attached, metadata: expect.objectContaining(attached.metadata) }),
    }),
  );
  expect(shown.map(({ json: _, ...value }: Json) => value)).toEqual(
    plain.results.map(({ contract_log }: Json) => contract_log.value),
  );
  // As any other field it can be selected.
  const { results: selected } = await get(`${list}?decode=json&fields=results.contract_log.value.json`);
  expect(selected).toEqual(shown.map(({ json }: Json) => ({ contract_log: { value: { json } } })));
  const { tx_id } = plain.results[0];
  const { contract_call } = await get(`/extended/v1/tx/${tx_id}?decode=json`);
  expect(contract_call.function_args.map(({ json, hex }: Json) => (json === null ? hex : json))).toEqual(
    contract_call.function_args.map(({ repr }: Json) => repr),
  );
});

test('names=true adds the primary names of the principals that are shown', async () => {
  const url = `/extended/v1/address/${alice}/transactions?names=true`;
  expect((await get(url)).primary_names).toEqual({ [alice]: 'alice.btc', [bob]: 'bob.id' });
  expect((await get(`${url}&fields=results.sender_address`)).primary_names).toEqual({ [alice]: 'alice.btc' });
  expect((await get(`/extended/v1/address/${carol}/balances?names=true`)).primary_names).toEqual({});
  const holders = await get('/extended/v1/tokens/ft/stx/holders?names=true');
  expect(holders.primary_names[bob]).toBe('bob.id');
  expect(await get(`/extended/v1/address/${alice}/balances?names=false`)).toEqual(
    await get(`/extended/v1/address/${alice}/balances`),
  );
});

test('a response with additions has an ETag of its own', async () => {
  const list = `/extended/v2/smart-contracts/${names}/logs`;
  const etags = await Promise.all(
    [list, `${list}?decode=json`, `${list}?names=true`, `${list}?names=true&decode=json`].map(async url => {
      const { headers } = await served.app.inject(url);
      const again = await served.app.inject({ url, headers: { 'if-none-match': String(headers.etag) } });
      expect([url, again.statusCode]).toEqual([url, 304]);
      return headers.etag;
    }),
  );
  expect(new Set(etags).size).toBe(4);
});

test.for([
  ['decode=yes', 'querystring/decode must be json'],
  ['names=1', 'querystring/names must be true or false'],
  ['names=true&names=true', 'querystring/names must be true or false'],
])('%s is refused', async ([query, message]) => {
  const { status, body } = await ask(`/extended/v2/blocks?${query}`);
  expect([status, body.message]).toEqual([400, message]);
});

test('a value of a newer type is null, and what only looks like one stays as it is', () => {
  const body: Json = { a: { hex: '0x63', repr: '0x63' }, b: [{ hex: '0x0a', other: 1 }], c: { hex: 1, repr: 'x' } };
  decodeValues(body);
  expect(body).toEqual({
    a: { hex: '0x63', repr: '0x63', json: null },
    b: [{ hex: '0x0a', other: 1 }],
    c: { hex: 1, repr: 'x' },
  });
});
