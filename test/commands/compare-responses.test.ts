import { readFileSync } from 'node:fs';
import { Random } from '@cairn-stacks/devnet/random';
import { expect, test } from 'vitest';
import { readRetryAfter } from '../../src/commands/compare/api-client.ts';
import { differencesOf } from '../../src/commands/compare/difference.ts';
import { type Query, queriesOf } from '../../src/commands/compare/query.ts';
import { judge } from '../../src/commands/compare/result.ts';
import { LEFT_OUT, routesOf } from '../../src/commands/compare/route.ts';
import { blockSubject, type Subject, subjectsIn } from '../../src/commands/compare/subject.ts';
import { drawHeights } from '../../src/commands/compare.ts';

const routes = routesOf(JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')));
const pin = { height: 100, burnHeight: 50, tenureHeight: 20 };
const chain: Subject = { kind: 'chain', values: {} };
const query = (route: string, pinned = true): Query => ({ route, path: route, subject: chain, pinned });
const ok = (body: unknown, status = 200) => ({ status, body });

test('every GET route is asked about by some subject, or left out for a reason', () => {
  const p = { principal: 'P', address: 'P' };
  const subjects: Subject[] = [
    chain,
    ...blockSubject({ height: 1, hash: '0x1', block_time: 1, tenure_height: 1 }),
    { kind: 'burn block', values: { burn_block_hash: '0x1', burn_block_height: '1', height_or_hash: '1' } },
    { kind: 'microblock', values: { hash: '0x1' } },
    { kind: 'transaction', values: { tx_id: '0x1', id: '0x1', q: '0x1', pox: 'pox4' } },
    { kind: 'principal', values: { ...p, pool_principal: 'P', pox: 'pox4', blockchain: 'stacks' } },
    { kind: 'transaction of a principal', values: { ...p, tx_id: '0x1' } },
    { kind: 'token of a principal', values: { ...p, token: 'T', asset_identifier: 'T' } },
    { kind: 'contract', values: { contract_id: 'P.c' } },
    { kind: 'fungible token', values: { token: 'T', asset_identifier: 'T' } },
    { kind: 'non-fungible token', values: { asset_identifier: 'T', value: '0x01' } },
    { kind: 'stacking contract', values: { pox: 'pox4' } },
    { kind: 'cycle', values: { cycle_number: '1' } },
    { kind: 'signer of a cycle', values: { cycle_number: '1', signer_key: '0x1' } },
    { kind: 'staking signer', values: { principal: 'P' } },
    { kind: 'bond', values: { bond_index: '1' } },
    { kind: 'member of a bond', values: { bond_index: '1', principal: 'P' } },
    { kind: 'reward recipient', values: { address: 'B', burnchain_address: 'B' } },
    { kind: 'name', values: { name: 'a.btc' } },
    { kind: 'zonefile', values: { name: 'a.btc', zoneFileHash: '0' } },
    { kind: 'namespace', values: { tld: 'btc' } },
  ];
  const asked = new Set(
    subjects.flatMap(subject => queriesOf(routes, subject, { pin, mempool: true }).map(({ route }) => route)),
  );
  const silent = routes.filter(({ path }) => !asked.has(path) && !LEFT_OUT.some(({ match }) => match.test(path)));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('a route is known with and without a slash at its end', () => {
  const paths = {
    '/v1/names/': { get: {} },
    '/a/{b}': { get: { parameters: [{ name: 'b', in: 'path', required: true }] } },
  };
  expect(routesOf({ paths })).toEqual([
    { path: '/v1/names', required: [], query: [] },
    { path: '/a/{b}', required: ['b'], query: [] },
  ]);
});

test('queries are pinned to a height where the route can be, and the mempool is left out', () => {
  const values = { principal: 'SP1', address: 'SP1', pool_principal: 'SP1', pox: 'pox4', blockchain: 'stacks' };
  const asked = queriesOf(routes, { kind: 'principal', values }, { pin, mempool: false });
  const pinned = asked.filter(each => each.pinned).map(({ path }) => path);
  expect(pinned).toContain('/extended/v1/address/SP1/balances?until_block=100');
  expect(pinned).toContain('/extended/v1/address/SP1/nonces?block_height=100');
  expect(asked.map(({ path }) => path)).toContain('/extended/v3/principals/SP1/transactions');
  expect(asked.filter(({ path }) => path.includes('mempool'))).toEqual([]);
});

test('a burn block and a tenure are settled only below those of the pinned block', () => {
  const burn = (height: number) => ({
    burn_block_hash: '0x1',
    burn_block_height: `${height}`,
    height_or_hash: `${height}`,
  });
  const settled = (values: Record<string, string>) =>
    queriesOf(routes, { kind: 'burn block', values }, { pin, mempool: false }).every(({ pinned }) => pinned);
  expect([settled(burn(49)), settled(burn(50))]).toEqual([true, false]);
});

test('differences have their place; the order of keys is none', () => {
  expect(differencesOf({ a: 1, b: [{ c: 'x' }] }, { b: [{ c: 'x' }], a: 1 })).toEqual([]);
  expect(differencesOf({ a: [{ b: 1 }, 2], c: null }, { a: [{ b: 2 }], c: undefined, d: 1 })).toEqual([
    { field: 'a.length', here: 2, there: 1 },
    { field: 'a[0].b', here: 1, there: 2 },
    { field: 'c', here: null, there: undefined },
    { field: 'd', here: undefined, there: 1 },
  ]);
  expect(differencesOf([1, 2], [2, 1], { unordered: true })).toEqual([]);
  expect(differencesOf(Array(1000).fill(1), Array(1000).fill(2)).length).toBeLessThanOrEqual(50);
});

test('documented differences are distinguished from differences', () => {
  expect(
    judge(
      query('/extended'),
      ok({ server_version: 'a', status: 'ready' }),
      ok({ server_version: 'b', status: 'ready' }),
    ),
  ).toEqual({
    verdict: 'known',
    reasons: [expect.stringContaining('server_version')],
  });
  const inbound = '/extended/v1/address/{principal}/stx_inbound';
  expect(judge(query(inbound), ok({ total: 1, results: [1] }), ok({ total: 2, results: [1, 1] })).verdict).toBe(
    'known',
  );
  expect(judge(query(inbound), ok({ total: 2, results: [1, 1] }), ok({ total: 1, results: [1] })).verdict).toBe(
    'different',
  );
  const names = '/v1/addresses/{blockchain}/{address}';
  expect(judge(query(names), ok({ names: ['a', 'b'] }), ok({ names: ['a'] })).verdict).toBe('known');
  expect(judge(query(names), ok({ names: ['b'] }), ok({ names: ['a'] })).verdict).toBe('different');
});

test('a field that was added after 9.0 is distinguished from one that differs', () => {
  const block = query('/extended/v3/transactions/{tx_id}');
  const old = ok({ block: { time: 1 } });
  expect(judge(block, old, ok({ block: { time: 1, time_iso: 'x' } }))).toEqual({
    verdict: 'known',
    reasons: [expect.stringContaining('CAIRN_COMPAT=9.3')],
  });
  expect(judge(block, old, ok({ block: { time: 2 } })).verdict).toBe('different');
});

test('only order is no difference where the other side has none', () => {
  const list = '/extended/v1/address/{principal}/transactions';
  expect(judge(query(list), ok({ results: [1, 2] }), ok({ results: [2, 1] })).verdict).toBe('known');
  expect(judge(query('/extended/v2/blocks'), ok({ results: [1, 2] }), ok({ results: [2, 1] })).verdict).toBe(
    'different',
  );
});

test('status codes and missing routes are distinguished', () => {
  const missing = ok({ message: 'Route GET:/x not found', error: 'Not Found', statusCode: 404 }, 404);
  expect(judge(query('/x'), ok({}), missing)).toEqual({ verdict: 'not offered there' });
  expect(judge(query('/x'), missing, ok({}))).toMatchObject({
    verdict: 'different',
    differences: [{ field: 'status code', here: 404, there: 200 }],
  });
  expect(judge(query('/x'), ok({}), ok({}, 410))).toEqual({ verdict: 'not offered there' });
  expect(judge(query('/x'), ok({ message: 'gone' }, 404), ok({ message: 'gone' }, 404))).toEqual({ verdict: 'same' });
});

test('what follows the mempool counts only where the query is pinned', () => {
  const nonces = '/extended/v1/address/{principal}/nonces';
  const [here, there] = [ok({ possible_next_nonce: 1 }), ok({ possible_next_nonce: 2 })];
  expect(judge(query(nonces, false), here, there).verdict).toBe('same');
  expect(judge(query(nonces, true), here, there).verdict).toBe('different');
  const stx = query('/extended/v2/addresses/{principal}/balances/stx', false);
  const [lower, higher] = [ok({ burnchain_lock_height: 1 }), ok({ burnchain_lock_height: 2 })];
  expect(judge(stx, lower, higher).verdict).toBe('different');
  expect(judge(stx, lower, higher, { sameTip: false }).verdict).toBe('same');
});

test('a transaction names its accounts, contracts and tokens', () => {
  const tx = {
    tx_id: '0x1',
    sender_address: 'SPA',
    contract_call: { contract_id: 'SPC.c' },
    events: [
      { event_type: 'fungible_token_asset', asset: { asset_id: 'SPC.c::t', sender: '', recipient: 'SPB' } },
      {
        event_type: 'non_fungible_token_asset',
        asset: { asset_id: 'SPC.c::n', sender: 'SPB', value: { hex: '0x01' } },
      },
    ],
  };
  const found = subjectsIn('/extended/v1/tx/{tx_id}', tx, chain).map(
    ({ kind, values }) => `${kind} ${Object.values(values)[0]}`,
  );
  expect(found).toEqual([
    ...['principal SPA', 'principal SPB', 'transaction of a principal SPA', 'transaction of a principal SPB'],
    ...['contract SPC.c', 'fungible token SPC.c::t', 'token of a principal SPB', 'non-fungible token SPC.c::n'],
  ]);
  expect(subjectsIn('/extended/v1/tx/{tx_id}', { message: 'an error' }, chain)).toEqual([]);
});

test('heights are drawn by the seed, without repeats, the newest always', () => {
  const draw = (seed: number) => drawHeights(1000, 20, new Random(seed));
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(new Set(draw(1)).size).toBe(20);
  expect(draw(1)[0]).toBe(1000);
  expect(drawHeights(3, 20, new Random(1)).sort()).toEqual([1, 2, 3]);
});

test('Retry-After is seconds or a date, and bounded', () => {
  expect(readRetryAfter('2', 0)).toBe(2000);
  expect(readRetryAfter('Thu, 01 Jan 1970 00:00:03 GMT', 1000)).toBe(2000);
  expect(readRetryAfter('Thu, 01 Jan 1970 00:00:03 GMT', 9000)).toBe(0);
  expect(readRetryAfter('99999', 0)).toBe(120_000);
  expect([readRetryAfter(null, 0), readRetryAfter('soon', 0)]).toEqual([undefined, undefined]);
});
