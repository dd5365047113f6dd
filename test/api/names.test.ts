import type { Action } from '@cairn-stacks/devnet/chain/action';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { priceResponse } from '@cairn-stacks/devnet/contracts/names/bns-contract';
import { expect, test } from 'vitest';
import { gracePeriod } from '../../src/chain/names/lease.ts';
import { readOnlyCaller } from '../../src/node/read-only-call.ts';
import { findNamePrice, findNamespacePrice } from '../../src/read/names/price-view.ts';
import { startApi } from '../support/api.ts';
import { messagesOf, testChain } from '../support/chain.ts';
import {
  addressOf,
  attachmentMessage,
  attachmentOf,
  hashOf,
  registrarZonefile,
  v1,
  v2,
} from '../support/names-chain.ts';
import { serveChain, serveChainForFile } from '../support/served-chain.ts';
import { foldAll } from '../support/service.ts';

const [alice, bob, carol] = [0, 1, 2].map(addressOf) as [string, string, string];
const zonefile = hashOf('$ORIGIN a');
const subdomains = registrarZonefile(carol, ['sub', 'zoe']);
const broken = registrarZonefile(carol, ['x'], '');

/** Two namespaces and a name for every fate; burn heights begin at 100. */
function makeChain() {
  const chain = testChain({ accounts: 3 });
  const steps: Action[][] = [
    [
      v1(0, { name: 'namespace-ready', namespace: 'id', lifetime: 10, launchedAt: 1 }),
      v1(0, { name: 'namespace-ready', namespace: 'app', lifetime: 0, launchedAt: 1 }),
      v1(0, { name: 'name-register', fqn: 'reg.id', zonefile }),
      v1(0, { name: 'name-register', fqn: 'gone.id', zonefile }),
      v1(1, { name: 'name-register', fqn: 'ever.app', zonefile }),
      v1(0, { name: 'name-import', fqn: 'gift.id', to: carol, zonefile }),
    ],
    [
      v1(0, { name: 'name-update', fqn: 'reg.id', zonefile: hashOf(subdomains) }),
      v1(0, { name: 'name-revoke', fqn: 'gone.id' }),
      v1(1, { name: 'name-update', fqn: 'ever.app', zonefile: hashOf(broken) }),
      v1(0, { name: 'namespace-update-function-price', namespace: 'app', coeff: 500n }),
    ],
    [v1(2, { name: 'name-transfer', fqn: 'gift.id', to: bob })],
    [
      v2(0, { name: 'namespace-launch', namespace: 'btc', lifetime: 1000, launchedAt: 90 }),
      v2(0, { name: 'namespace-launch', namespace: 'corp', lifetime: 0, launchedAt: 90, manager: carol }),
      v2(0, { name: 'name-register', fqn: 'new.btc', id: 1, renewal: 1200 }),
      v2(0, { name: 'name-register', fqn: 'due.btc', id: 2, renewal: 110 }),
      v2(2, { name: 'name-airdrop', fqn: 'old.btc', id: 3, to: bob }),
      v2(0, { name: 'name-import', fqn: 'imp.btc', id: 4, to: carol }),
    ],
    [
      v2(0, { name: 'list-in-ustx', id: 1, price: 77n }),
      v2(0, { name: 'update-zonefile', fqn: 'new.btc', zonefile: '{"btc":"bc1q"}' }),
      v2(1, { name: 'revoke-name', fqn: 'old.btc' }),
    ],
  ];
  const blocks: BuiltBlock[] = [chain.genesis];
  for (const transactions of steps) blocks.push(chain.mine(blocks.at(-1)!, { transactions, tenure: 'new' }));
  return { chain, blocks };
}

const { chain, blocks } = makeChain();
const attachments = attachmentMessage(
  attachmentOf({ fqn: 'reg.id', zonefile: subdomains }),
  attachmentOf({ fqn: 'ever.app', zonefile: broken }),
  attachmentOf({ fqn: 'reg.id', zonefile: '$ORIGIN a', op: 'name-register' }),
);
const { ask, get } = serveChainForFile(() => [...blocks, attachments]);
/** The last transaction of a block. */
const lastOf = (height: number) => blocks[height]!.transactions.at(-1)!.txId;

test('a name of version 1 has its owner, lease and zonefile', async () => {
  expect(await get('/v1/names/reg.id')).toEqual({
    address: alice,
    blockchain: 'stacks',
    expire_block: 11,
    last_txid: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    status: 'name-update',
    zonefile: subdomains,
    zonefile_hash: hashOf(subdomains),
  });
  expect(await get('/v1/names/gift.id')).toMatchObject({
    address: bob,
    status: 'name-transfer',
    zonefile: '',
    zonefile_hash: '',
    expire_block: 11,
  });
  expect(await get('/v1/names/ever.app')).toMatchObject({ expire_block: 1 });
  expect(await get('/v1/names/reg.id/zonefile')).toEqual({ zonefile: subdomains });
  expect(await get(`/v1/names/reg.id/zonefile/0x${zonefile}`)).toEqual({ zonefile: '$ORIGIN a' });
  expect((await ask(`/v1/names/ever.app/zonefile/${hashOf(subdomains)}`)).status).toBe(404);
});

test('lists also contain names of version 2', async () => {
  expect(await get('/v1/names/new.btc')).toMatchObject({
    address: alice,
    status: 'name-update',
    expire_block: 1200,
    zonefile: '{"btc":"bc1q"}',
  });
  expect(await get('/v1/names/imp.btc')).toMatchObject({ address: carol, status: 'name-import', expire_block: 1090 });
  expect(await get('/v1/names')).toEqual(['due.btc', 'ever.app', 'gift.id', 'imp.btc', 'new.btc', 'reg.id']);
  expect(await get('/v1/namespaces')).toEqual({ namespaces: ['app', 'btc', 'corp', 'id'] });
  expect(await get('/v1/namespaces/btc/names')).toEqual(['due.btc', 'imp.btc', 'new.btc']);
  expect(await get('/v1/namespaces/corp/names')).toEqual([]);
  expect(await ask('/v1/namespaces/btc/names?page=1')).toMatchObject({ status: 400, body: { error: 'Invalid page' } });
});

test('subdomains come from zonefiles; unknown ones lead to the resolver', async () => {
  expect(await get('/v1/names/reg.id/subdomains')).toEqual(['sub.reg.id', 'zoe.reg.id']);
  expect(await get('/v1/names/sub.reg.id')).toMatchObject({
    address: carol,
    blockchain: 'stacks',
    resolver: 'https://resolver.example',
    status: 'registered_subdomain',
    zonefile: 'sub',
    zonefile_hash: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(await get('/v1/names/zoe.reg.id/zonefile')).toEqual({ zonefile: 'zoe' });
  expect(await ask('/v1/names/nobody.reg.id')).toMatchObject({
    status: 302,
    location: 'https://resolver.example/v1/names/nobody.reg.id',
  });
  expect(await ask('/v1/names/nobody.ever.app')).toMatchObject({
    status: 404,
    body: { error: 'missing resolver from a malformed zonefile' },
  });
  for (const name of ['nobody.gift.id', 'a.nobody.id', 'a.gone.id']) {
    expect(await ask(`/v1/names/${name}`)).toMatchObject({
      status: 404,
      body: { error: `cannot find subdomain ${name}` },
    });
  }
  expect(await get(`/v1/addresses/stacks/${carol}`)).toEqual({
    names: ['imp.btc', 'sub.reg.id', 'x.ever.app', 'zoe.reg.id'],
  });
  expect(await get(`/v1/addresses/stacks/${bob}`)).toEqual({ names: ['ever.app', 'gift.id'] });
});

test('revoked, malformed and unknown names have their own errors', async () => {
  for (const name of [
    'gone.id',
    'old.btc',
    'REG.ID',
    'reg.id%00',
    'r%D0%B5g.id',
    'xn--rg-ija.id',
    '%20',
    'reg',
    `${'a'.repeat(300)}.id`,
  ]) {
    const { status, body } = await ask(`/v1/names/${name}`);
    expect([status, Object.keys(body)], name).toEqual([404, ['error']]);
    expect((await ask(`/v1/names/${name}/zonefile`)).status, name).toBe(404);
    expect((await ask(`/v1/names/${name}/zonefile/zz`)).status, name).toBe(404);
    expect(await get(`/v1/names/${name}/subdomains`), name).toEqual([]);
  }
  expect(await get('/v1/addresses/stacks/%F0%9F%98%80')).toEqual({ names: [] });
  expect((await ask(`/v1/addresses/bitcoin/${alice}`)).status).toBe(400);
  expect((await ask('/v1/namespaces/i%00d/names')).body).toEqual({ error: 'No such namespace' });
});

test('details and history contain every change, now and at a block', async () => {
  expect(await get('/extended/v1/names/new.btc')).toMatchObject({
    name: 'new.btc',
    version: 2,
    owner: alice,
    state: 'active',
    token_id: 1,
    listing_price: '77',
    expires: { chain: 'burn', height: 1200, grace_until: 1200 + gracePeriod, never: false },
    at_block: 5,
  });
  expect(await get('/extended/v1/names/new.btc?at_block=4')).toMatchObject({
    listing_price: null,
    last_change: 'name-register',
  });
  expect((await ask('/extended/v1/names/new.btc?at_block=3')).status).toBe(404);
  expect((await ask('/extended/v1/names/new.btc?at_block=x')).status).toBe(400);
  expect((await ask(`/extended/v1/names/new.btc?at_block=0x${'ab'.repeat(32)}`)).status).toBe(404);
  expect(await get(`/extended/v1/names/gift.id?at_block=${blocks[2]!.hash}`)).toMatchObject({ owner: carol });
  expect(await get('/extended/v1/names/old.btc')).toMatchObject({ state: 'revoked', owner: bob });
  const first = await get('/extended/v1/names/gift.id/history?limit=1');
  expect(first.results).toMatchObject([
    { last_change: 'name-transfer', owner: bob, tx_id: lastOf(3), block_height: 3 },
  ]);
  const second = await get(`/extended/v1/names/gift.id/history?limit=1&cursor=${first.next_cursor}`);
  expect(second).toMatchObject({ next_cursor: null, results: [{ last_change: 'name-import', owner: carol }] });
  expect((await ask('/extended/v1/names/gift.id/history?cursor=nonsense')).status).toBe(400);
  expect((await ask('/extended/v1/names/аpple.btc')).status).toBe(400);
  expect(await get('/extended/v1/namespaces/corp')).toMatchObject({ version: 2, manager: carol, lifetime: 0 });
});

test('names of an owner, and its primary name', async () => {
  const namesOf = async (query: string) =>
    (await get(`/extended/v1/names/by-owner/${query}`)).results.map((row: { name: string }) => row.name);
  expect(await namesOf(alice)).toEqual(['due.btc', 'new.btc', 'reg.id']);
  expect(await namesOf(`${carol}?at_block=2`)).toEqual(['gift.id']);
  expect(await namesOf(`${carol}?at_block=3`)).toEqual([]);
  const page = await get(`/extended/v1/names/by-owner/${alice}?limit=2`);
  expect(page.next_cursor).toBe('new.btc');
  expect(await namesOf(`${alice}?limit=2&cursor=new.btc`)).toEqual(['reg.id']);
  expect(await get(`/extended/v1/names/by-owner/${alice}/primary`)).toEqual({
    owner: alice,
    name: 'new.btc',
    version: 2,
  });
  expect(await get(`/extended/v1/names/by-owner/${alice}/primary?at_block=2`)).toMatchObject({
    name: 'reg.id',
    version: 1,
  });
  expect((await ask('/extended/v1/names/by-owner/nobody')).status).toBe(400);
});

test('names that end soon, by the chain their lease counts', async () => {
  const due = await get('/extended/v1/names/expiring?within=50');
  expect(due).toMatchObject({ chain: 'burn', results: [{ name: 'due.btc', owner: alice, expires: 110 }] });
  const all = await get('/extended/v1/names/expiring?within=2000&limit=1');
  const rest = await get(`/extended/v1/names/expiring?within=2000&cursor=${all.next_cursor}`);
  expect(rest.results.map((row: { name: string }) => row.name)).toEqual(['imp.btc', 'new.btc']);
  const first = await get('/extended/v1/names/expiring?version=1&within=10');
  expect(first.results.map((row: { name: string; expires: number }) => [row.name, row.expires])).toEqual([
    ['gift.id', 11],
    ['reg.id', 11],
  ]);
});

test('availability comes with the price', async () => {
  const available = async (name: string) => {
    const { available, reason, price } = await get(`/extended/v1/names/${name}/availability`);
    return [available, reason, price];
  };
  expect(await available('free.btc')).toEqual([true, null, String(250 * 4 ** 5 * 10)]);
  expect(await available('new.btc')).toEqual([false, 'taken', expect.any(String)]);
  expect(await available('free.corp')).toEqual([false, 'managed_namespace', expect.any(String)]);
  expect(await available('free.nope')).toEqual([false, 'unknown_namespace', null]);
  expect(await available('FREE.btc')).toEqual([false, 'invalid_name', null]);
  expect(await available('gone.id')).toEqual([false, 'taken', expect.any(String)]);
});

test('prices are computed when no node responds', async () => {
  expect(await get('/v2/prices/namespaces/id')).toEqual({ units: 'STX', amount: '64000000000' });
  expect(await get('/v2/prices/names/free.app')).toEqual({ units: 'STX', amount: String(500 * 4 ** 5 * 10) });
  expect(await get('/v2/prices/names/bcd1.id')).toEqual({ units: 'STX', amount: String((250 * 4 ** 5 * 10) / 4) });
  for (const url of [
    'namespaces/%D0%B0',
    `namespaces/${'a'.repeat(21)}`,
    'names/a.nope',
    'names/nodot',
    'names/a.b.c',
    'names/.id',
    'names/a.',
  ]) {
    expect((await ask(`/v2/prices/${url}`)).status, url).toBe(400);
  }
});

test('a lease passes through grace to its end, and a fork takes a renewal back', async t => {
  const api = await serveChain(t, blocks);
  const last = blocks.at(-1)!;
  const line: BuiltBlock[] = [];
  for (let i = 0; i < 8; i++) line.push(chain.mine(line.at(-1) ?? last, { transactions: 0, tenure: 'new' }));
  await foldAll(api.database, line.flatMap(messagesOf));
  await api.tip.refresh();
  expect(await api.get('/extended/v1/names/due.btc')).toMatchObject({ state: 'grace' });
  expect(await api.get('/extended/v1/names/reg.id')).toMatchObject({ state: 'grace' });
  expect(await api.get('/extended/v1/names/due.btc/availability')).toMatchObject({ available: false, reason: 'grace' });

  const tip = line.at(-1)!;
  const renewed = chain.mine(tip, {
    transactions: [v2(0, { name: 'name-renewal', fqn: 'due.btc', id: 2, renewal: 5000 })],
  });
  await foldAll(api.database, messagesOf(renewed));
  await api.tip.refresh();
  expect(await api.get('/extended/v1/names/due.btc')).toMatchObject({ state: 'active', last_change: 'name-renewal' });
  const other = chain.mine(tip, {
    transactions: [v2(1, { name: 'take-over', fqn: 'due.btc', id: 2, before: alice, renewal: 6000 })],
  });
  await foldAll(api.database, [other, chain.mine(other, { transactions: 0 })].flatMap(messagesOf));
  await api.tip.refresh();
  expect(await api.get('/extended/v1/names/due.btc')).toMatchObject({
    state: 'active',
    owner: bob,
    expires: { height: 6000 },
  });
  expect(await api.get(`/v1/addresses/stacks/${bob}`)).toEqual({ names: ['due.btc', 'ever.app', 'gift.id'] });
});

test('the price of a node is used; without a response the price is computed', async t => {
  const { database } = await startApi(t);
  await foldAll(database, blocks.flatMap(messagesOf));
  const { sql } = database;
  const answer = (json: string | undefined) => ({
    sql,
    mainnet: false,
    callReadOnly: readOnlyCaller(async () => json),
  });
  const fromNode = answer(
    JSON.stringify({ okay: true, result: `0x${Buffer.from(priceResponse(2_000_000n)).toString('hex')}` }),
  );
  expect(await findNamePrice('x', 'nope', fromNode)).toBe(2_000_000n);
  expect(await findNamespacePrice('UPPER', fromNode)).toBe(2_000_000n);
  const failed = answer('{"okay":false,"cause":"Unchecked"}');
  expect(await findNamePrice('free', 'id', failed)).toBeUndefined();
  for (const silent of [
    answer(undefined),
    answer('<html>'),
    answer('{"okay":true,"result":"zz"}'),
    { sql, mainnet: false },
  ]) {
    expect(await findNamePrice('free', 'id', silent)).toBe(250n * 4n ** 5n * 10n);
    expect(await findNamespacePrice('id', silent)).toBe(64_000_000_000n);
  }
});
