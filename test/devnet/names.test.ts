import { none, principal, some, uint } from '@cairn-stacks/codec/clarity/build';
import { label } from '@cairn-stacks/devnet/contracts/names/namespace-model';
import { describe, expect, test } from 'vitest';
import { gracePeriod } from '../../src/chain/names/lease.ts';
import { address, named, namingDevnet } from '../support/naming-devnet.ts';
import { serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';

type Api = Awaited<ReturnType<typeof serveChain>>;
type Devnet = ReturnType<typeof namingDevnet>;

/** Tells the API what the devnet has posted since. */
function follow(api: Api, devnet: Devnet) {
  let posted = devnet.posted.length;
  return async () => {
    const position = await foldAll(api.database, devnet.posted.slice(posted));
    posted = devnet.posted.length;
    await until(async () => {
      await api.tip.refresh();
      return api.tip.current?.seq === Number(position.journal_seq);
    });
  };
}

const [alice, bob, carol] = [0, 1, 2].map(address) as [string, string, string];
const changesOf = async (api: Api, name: string) =>
  (await api.get(`/extended/v1/names/${name}/history`)).results.map((row: { last_change: string; owner: string }) => [
    row.last_change,
    row.owner,
  ]);

describe('names of version 1', () => {
  test('are registered, updated, given away, renewed and revoked', async t => {
    const devnet = namingDevnet();
    const { call, register, launch } = devnet;
    launch('v1', 'shop', 2_000);
    expect(register(0, 'v1', 'cheap.shop', 1n)).toBe(2007);
    expect(call(0, 'v1', 'name-renewal', [...named('bread.shop'), uint(1), none, none])).toBe(2013);
    expect(register(0, 'v1', 'bread.shop')).toBe('ok');
    expect(register(1, 'v1', 'bread.shop')).toBe(2004);
    expect(register(0, 'v1', 'cake.shop')).toBe(3001);
    expect(call(1, 'v1', 'name-update', [...named('bread.shop'), label('x'.repeat(20))])).toBe(2006);
    const api = await serveChain(t, devnet.posted);
    const next = follow(api, devnet);
    const registered = await api.get('/v1/names/bread.shop');
    expect(registered).toMatchObject({ address: alice, status: 'name-register', zonefile_hash: '01'.repeat(20) });

    expect(call(0, 'v1', 'name-update', [...named('bread.shop'), label('y'.repeat(20))])).toBe('ok');
    expect(call(0, 'v1', 'name-transfer', [...named('bread.shop'), principal(bob), none])).toBe('ok');
    await next();
    expect(await api.get('/v1/names/bread.shop')).toMatchObject({
      address: bob,
      status: 'name-transfer',
      expire_block: registered.expire_block,
      zonefile_hash: '',
    });
    expect(await api.get(`/v1/addresses/stacks/${bob}`)).toEqual({ names: ['bread.shop'] });
    expect(await api.get(`/v1/addresses/stacks/${alice}`)).toEqual({ names: [] });

    expect(call(1, 'v1', 'name-renewal', [...named('bread.shop'), uint(10n ** 11n), none, none])).toBe('ok');
    await next();
    const renewed = await api.get('/v1/names/bread.shop');
    expect(renewed.expire_block).toBe(devnet.node.tip.height + 2_000);
    expect(call(1, 'v1', 'name-revoke', named('bread.shop'))).toBe('ok');
    expect(register(2, 'v1', 'bread.shop')).toBe(2004);
    await next();
    expect((await api.ask('/v1/names/bread.shop')).status).toBe(404);
    expect(await api.get('/v1/names')).toEqual([]);
    expect(await changesOf(api, 'bread.shop')).toEqual([
      ['name-revoke', bob],
      ['name-renewal', bob],
      ['name-transfer', bob],
      ['name-update', alice],
      ['name-register', alice],
    ]);
    expect(await api.get('/extended/v1/names/bread.shop/availability')).toMatchObject({
      available: false,
      reason: 'taken',
    });
  });

  test('end, and are somebody else’s after the grace period', async t => {
    const devnet = namingDevnet();
    const { call, register, launch, node } = devnet;
    launch('v1', 'soon', 8);
    expect(register(0, 'v1', 'gone.soon')).toBe('ok');
    const registered = node.tip.height;
    const api = await serveChain(t, devnet.posted);
    const next = follow(api, devnet);
    const stateNow = async () => (await api.get('/extended/v1/names/gone.soon')).state;
    const mineTo = async (height: number) => {
      while (node.tip.height < height) node.mine({ tenure: 'same', empty: true });
      await next();
    };
    await mineTo(registered + 8);
    expect(await stateNow()).toBe('active');
    await mineTo(registered + 9);
    expect(await stateNow()).toBe('grace');
    expect(register(1, 'v1', 'gone.soon')).toBe(2004);
    expect(call(0, 'v1', 'name-transfer', [...named('gone.soon'), principal(carol), none])).toBe(2009);
    await mineTo(registered + 8 + gracePeriod);
    expect(await stateNow()).toBe('grace');
    await mineTo(registered + 9 + gracePeriod);
    expect(await stateNow()).toBe('expired');
    expect(await api.get('/extended/v1/names/gone.soon/availability')).toMatchObject({ available: true, reason: null });
    expect(call(0, 'v1', 'name-renewal', [...named('gone.soon'), uint(10n ** 11n), none, none])).toBe(2008);
    expect(register(1, 'v1', 'gone.soon')).toBe('ok');
    await next();
    expect(await api.get('/v1/names/gone.soon')).toMatchObject({ address: bob, status: 'name-register' });
    expect(await api.get(`/extended/v1/names/gone.soon?at_block=${registered}`)).toMatchObject({ owner: alice });
  });
});

describe('names of version 2', () => {
  test('are claimed, given away, renewed, listed and told to stand for their owner', async t => {
    const devnet = namingDevnet();
    const { call, register, launch, node } = devnet;
    launch('v2', 'btc', 1_000);
    expect(call(0, 'v2', 'name-claim-fast', [label('fast'), label('btc'), principal(alice)])).toBe('ok');
    expect(call(1, 'v2', 'name-claim-fast', [label('fast'), label('btc'), principal(bob)])).toBe(118);
    expect(register(0, 'v2', 'slow.btc')).toBe('ok');
    const end = node.tip.burn.height + 1_000;
    const api = await serveChain(t, devnet.posted);
    const next = follow(api, devnet);
    expect(await api.get('/v1/names')).toEqual(['fast.btc', 'slow.btc']);
    expect(await api.get('/extended/v1/names/slow.btc')).toMatchObject({
      owner: alice,
      token_id: 2,
      state: 'active',
      expires: { chain: 'burn', height: end },
    });
    expect(await api.get(`/extended/v1/names/by-owner/${alice}/primary`)).toMatchObject({ name: 'fast.btc' });

    expect(call(0, 'v2', 'set-primary-name', [uint(2)])).toBe('ok');
    expect(call(0, 'v2', 'list-in-ustx', [uint(1), uint(700), principal(`${alice}.fees`)])).toBe('ok');
    expect(call(0, 'v2', 'transfer', [uint(1), principal(alice), principal(bob)])).toBe(105);
    await next();
    expect(await api.get(`/extended/v1/names/by-owner/${alice}/primary`)).toMatchObject({ name: 'slow.btc' });
    expect(await api.get('/extended/v1/names/fast.btc')).toMatchObject({ listing_price: '700' });

    expect(call(0, 'v2', 'unlist-in-ustx', [uint(1)])).toBe('ok');
    expect(call(0, 'resolver', 'update-zonefile', [label('fast'), label('btc'), some(label('{"a":1}'))])).toBe('ok');
    expect(call(0, 'v2', 'transfer', [uint(1), principal(alice), principal(bob)])).toBe('ok');
    expect(call(0, 'resolver', 'revoke-name', [label('fast'), label('btc')])).toBe(102);
    expect(call(1, 'v2', 'name-renewal', named('fast.btc'))).toBe('ok');
    await next();
    expect(await api.get('/extended/v1/names/fast.btc')).toMatchObject({
      owner: bob,
      listing_price: null,
      zonefile_hash: null,
      expires: { height: end + 1_000 },
      last_change: 'name-renewal',
    });
    expect(await api.get(`/extended/v1/names/by-owner/${bob}/primary`)).toMatchObject({ name: 'fast.btc' });
    expect(call(1, 'resolver', 'revoke-name', [label('fast'), label('btc')])).toBe('ok');
    await next();
    expect(await api.get('/extended/v1/names/fast.btc')).toMatchObject({ state: 'revoked', owner: bob });
    expect(await api.get('/v1/names')).toEqual(['slow.btc']);
  });

  test('end by burn heights, and whoever renews them then has them', async t => {
    const devnet = namingDevnet();
    const { call, register, launch, node } = devnet;
    launch('v2', 'btc', 30);
    expect(register(0, 'v2', 'late.btc')).toBe('ok');
    const end = node.tip.burn.height + 30;
    const api = await serveChain(t, devnet.posted);
    const next = follow(api, devnet);
    /** Bitcoin goes on without us. */
    const burnTo = async (height: number) => {
      while (node.chain.burnChain.tip.height < height - 1) node.chain.burnChain.mine(node.tip.burn.time + 1);
      node.mine({ tenure: 'new' });
      expect(node.tip.burn.height).toBe(height);
      await next();
    };
    const now = () => api.get('/extended/v1/names/late.btc');
    await burnTo(end);
    expect(await now()).toMatchObject({ state: 'active', expires: { height: end, grace_until: end + gracePeriod } });
    await burnTo(end + 1);
    expect(await now()).toMatchObject({ state: 'grace' });
    expect(call(1, 'v2', 'name-renewal', named('late.btc'))).toBe(102);
    await burnTo(end + gracePeriod + 1);
    expect(await now()).toMatchObject({ state: 'expired', owner: alice });
    expect(await api.get('/extended/v1/names/late.btc/availability')).toMatchObject({ available: true });
    expect(call(1, 'v2', 'name-renewal', named('late.btc'))).toBe('ok');
    await next();
    expect(await now()).toMatchObject({ state: 'active', owner: bob, expires: { height: node.tip.burn.height + 30 } });
    expect(await api.get(`/v1/addresses/stacks/${bob}`)).toEqual({ names: ['late.btc'] });
  });
});

test('a fork takes registrations, transfers, renewals and revocations back, and brings them again', async t => {
  const devnet = namingDevnet();
  const { register, launch, node, submit } = devnet;
  launch('v1', 'shop', 500);
  launch('v2', 'btc', 500);
  expect(register(0, 'v1', 'one.shop')).toBe('ok');
  expect(register(0, 'v2', 'one.btc')).toBe('ok');
  expect(register(0, 'v2', 'old.btc')).toBe('ok');
  expect(register(1, 'v1', 'two.shop')).toBe('ok');
  const api = await serveChain(t, devnet.posted);
  const next = follow(api, devnet);
  const seen = async () => {
    const names = ['one.shop', 'one.btc', 'old.btc', 'two.shop', 'new.btc'];
    const answers = await Promise.all(names.map(name => api.ask(`/extended/v1/names/${name}`)));
    return answers.map(({ status, body }) => (status === 404 ? 'none' : [body.owner, body.state, body.last_change]));
  };
  const before = await seen();
  const root = node.tip;
  submit(0, 'v1', 'name-transfer', [...named('one.shop'), principal(carol), none]);
  submit(0, 'v2', 'name-renewal', named('old.btc'));
  submit(0, 'v2', 'transfer', [uint(1), principal(alice), principal(carol)]);
  submit(0, 'v2', 'name-claim-fast', [label('new'), label('btc'), principal(bob)]);
  submit(1, 'v1', 'name-revoke', named('two.shop'));
  node.mine({ tenure: 'same' });
  node.mine({ tenure: 'same' });
  node.mine({ tenure: 'same' });
  await next();
  const after = await seen();
  expect(after).toEqual([
    [carol, 'active', 'name-transfer'],
    [carol, 'active', 'name-transfer'],
    [alice, 'active', 'name-renewal'],
    [bob, 'revoked', 'name-revoke'],
    [bob, 'active', 'name-register'],
  ]);

  const depth = node.tip.height - root.height;
  let parent = node.mine({ parent: root, tenure: 'new', empty: true });
  for (let i = 0; i < depth; i++) parent = node.mine({ parent, tenure: 'same', empty: true });
  await next();
  expect(await seen()).toEqual(before);
  expect(await changesOf(api, 'one.btc')).toEqual([['name-register', alice]]);
  expect((await api.get('/extended/v1/tx/mempool')).total).toBeGreaterThanOrEqual(5);
  for (let i = 0; i < 3; i++) node.mine({ tenure: 'same' });
  await next();
  expect(await seen()).toEqual(after);
});
