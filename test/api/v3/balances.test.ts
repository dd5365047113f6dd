import { buffer, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { toHex } from '@cairn-stacks/codec/hex';
import { expect, test } from 'vitest';
import { mineLine, testChain } from '../../support/chain.ts';
import { walk } from '../../support/cursor-walk.ts';
import { addressOf, serveChainForFile } from '../../support/served-chain.ts';

type Ft = { asset_identifier: string; balance: string };
type Nft = { asset_identifier: string; value: { hex: string; repr: string } };

const v3 = '/extended/v3/principals';
const [alice, bob, carol] = [0, 1, 2].map(addressOf) as [string, string, string];
const nobody = addressOf(99);
const nothing = { next: null, previous: null, current: null };
const long = (byte: number) => toHex(encodeClarity(buffer(new Uint8Array(1_500).fill(byte))));

/** Random traffic, then tokens of three contracts, two of them in equal numbers, and a lock. */
function makeBlocks() {
  const chain = testChain({ accounts: 3 });
  const line = mineLine(chain, chain.genesis, 8, { transactions: 6 });
  const names = ['zebra', 'apple', 'mango'];
  const deploys = chain.mine(line.at(-1), {
    transactions: names.map(name => ({ kind: 'deploy', from: 0, name }) as const),
  });
  const calls = names.flatMap((name, i) => {
    const call = { kind: 'call', from: 0, contract: `${alice}.${name}` } as const;
    return [
      { ...call, call: { name: 'mint', amount: BigInt(1_000_000_000 + (i > 0 ? 7 : 0)), to: carol } } as const,
      ...[5, 3, 300].map(item => ({ ...call, call: { name: 'mint-item', item, to: carol } }) as const),
    ];
  });
  const mints = chain.mine(deploys, { transactions: calls });
  // Values so long that the tables hold their hash alone.
  const given = (
    mints.body as { events: { nft_mint_event?: { asset_identifier: string; raw_value: string } }[] }
  ).events
    .flatMap(event => event.nft_mint_event ?? [])
    .filter(event => event.asset_identifier.includes('.mango::'));
  given.slice(0, 2).forEach((event, i) => {
    event.raw_value = long(2 - i);
  });
  const lock = chain.mine(mints, { transactions: [{ kind: 'stack', from: 1, amount: 400n, cycles: 2, fee: 2n }] });
  return { all: [chain.genesis, ...line, deploys, mints, lock], lock };
}

const blocks = makeBlocks();
const { get, ask } = serveChainForFile(() => blocks.all);

const accounts = [alice, bob, carol];

test.each(accounts)('the STX of %s are those of the first version', async principal => {
  const old = await get(`/extended/v1/address/${principal}/stx`);
  const answer = await get(`${v3}/${principal}/balances/stx`);
  expect(answer).toMatchObject({ balance: old.balance, mempool: null });
  expect(BigInt(answer.available)).toBe(BigInt(old.balance) - BigInt(old.locked));
  expect(answer.locked === null).toBe(old.locked === '0');
});

test('a lock says what made it and when it ends', async () => {
  const old = await get(`/extended/v1/address/${bob}/stx`);
  expect((await get(`${v3}/${bob}/balances/stx`)).locked).toEqual({
    amount: old.locked,
    pox_version: 4,
    lock_tx_id: old.lock_tx_id,
    stacks_lock_height: blocks.lock.height,
    burn_lock_height: blocks.lock.burn.height,
    burn_unlock_height: old.burnchain_unlock_height,
  });
});

test.each(accounts)('the tokens of %s are those of the second version, the largest first', async principal => {
  const url = `${v3}/${principal}/balances/ft`;
  const { results: old } = await get(`/extended/v2/addresses/${principal}/balances/ft?limit=200`);
  const rows = await walk<Ft>(get, url, 200);
  for (const limit of [1, 2]) expect(await walk<Ft>(get, url, limit)).toEqual(rows);
  const wanted = old.map(({ token, balance }: { token: string; balance: string }) => ({
    asset_identifier: token,
    balance,
  }));
  wanted.sort((a: Ft, b: Ft) => {
    const more = BigInt(b.balance) - BigInt(a.balance);
    return more === 0n ? (a.asset_identifier < b.asset_identifier ? -1 : 1) : Number(more);
  });
  expect(rows).toEqual(wanted);
  for (const row of rows) {
    expect(await get(`${url}/${encodeURIComponent(row.asset_identifier)}`)).toEqual(row);
  }
});

test('tokens in equal numbers are in the order of their identifiers', async () => {
  const rows = (await get(`${v3}/${carol}/balances/ft?limit=3`)).results as Ft[];
  const names = ['apple', 'mango', 'zebra'].map(name => `${alice}.${name}::coin`);
  expect(rows.map(row => row.asset_identifier)).toEqual(names);
  const at = await get(`${v3}/${carol}/balances/ft?limit=1&cursor=${rows[0]!.balance}:${alice}.apple::coin2`);
  expect(at.results[0].asset_identifier).toBe(names[1]);
  expect(at.cursor.previous).toBe(`${rows[0]!.balance}:${names[0]}`);
  const above = await get(`${v3}/${carol}/balances/ft?limit=3&cursor=${'9'.repeat(60)}:a`);
  expect(above.results).toEqual(rows);
  expect(above.cursor.previous).toBeNull();
  expect(await get(`${v3}/${carol}/balances/ft?cursor=0:a`)).toMatchObject({ total: 0, cursor: nothing, results: [] });
});

test.each(accounts)('the NFTs of %s are those of the first version, by identifier and value', async principal => {
  const url = `${v3}/${principal}/balances/nft`;
  const old = await get(`/extended/v1/tokens/nft/holdings?principal=${principal}&limit=200`);
  const rows = await walk<Nft>(get, url, 200);
  for (const limit of [1, 2, 3]) expect(await walk<Nft>(get, url, limit)).toEqual(rows);
  const textOf = (row: Nft) => `${row.asset_identifier} ${row.value.hex}`;
  expect(rows.map(textOf).sort()).toEqual(old.results.map(textOf).sort());
  const ids = rows.map(row => row.asset_identifier);
  expect(ids).toEqual([...ids].sort());
  expect((await get(url)).total).toBe(old.total);
});

test('values are in the order of their bytes, and a cursor is a position among them', async () => {
  const url = `${v3}/${carol}/balances/nft`;
  const item = (number: number) => toHex(encodeClarity(uint(number)));
  const zebra = `${alice}.zebra::item`;
  const rows = await walk<Nft>(get, url, 200);
  const own = rows.filter(row => row.asset_identifier === zebra).map(row => row.value.hex);
  expect(own).toEqual([item(3), item(5), item(300)]);
  const at = async (cursor: string) => get(`${url}?limit=2&cursor=${encodeURIComponent(cursor)}`);
  expect((await at(`${item(4)}:${zebra}`)).results).toEqual(
    rows.filter(row => row.asset_identifier === zebra).slice(1),
  );
  expect((await at(`0x:${zebra}`)).cursor.current).toBe(`${item(3)}:${zebra}`);
  expect((await at(`0x012:${zebra}`)).cursor.current).toBe(`${item(3)}:${zebra}`);
  expect(await at(`0xffffff:${zebra}`)).toMatchObject({ total: 0, results: [], cursor: nothing });
  expect(await at('0x:zzz')).toMatchObject({ total: 0, results: [], cursor: nothing });
  const whole = rows.filter(row => row.asset_identifier === `${alice}.mango::item`).map(row => row.value.hex);
  expect(whole.filter(hex => hex.length > 2_000).sort()).toEqual([long(1), long(2)]);
});

test('a principal without activity has nothing', async () => {
  const empty = { total: 0, limit: 100, cursor: nothing, results: [] };
  expect(await get(`${v3}/${nobody}/balances/stx`)).toEqual({
    balance: '0',
    available: '0',
    locked: null,
    mempool: null,
  });
  expect(await get(`${v3}/${nobody}/balances/ft`)).toEqual(empty);
  expect(await get(`${v3}/${nobody}.contract/balances/nft?cursor=0x:a`)).toEqual(empty);
  const asset_identifier = `${nobody}.contract::asset`;
  for (const principal of [nobody, alice]) {
    const one = await get(`${v3}/${principal}/balances/ft/${asset_identifier}`);
    expect(one).toEqual({ asset_identifier, balance: '0' });
  }
  expect(await get(`${v3}/${nobody}/nonces`)).toEqual({
    next_nonce: 0,
    last_confirmed_nonce: null,
    mempool: { last_nonce: null, pending_nonces: [], missing_nonces: [] },
  });
});

test('nonces are those of the first version', async () => {
  for (const principal of accounts) {
    const old = await get(`/extended/v1/address/${principal}/nonces`);
    expect(await get(`${v3}/${principal}/nonces`)).toEqual({
      next_nonce: old.possible_next_nonce,
      last_confirmed_nonce: old.last_executed_tx_nonce,
      mempool: { last_nonce: null, pending_nonces: [], missing_nonces: [] },
    });
  }
});

test('the supply is that of the first version in micro-STX', async () => {
  const old = await get('/extended/v1/stx_supply');
  expect(await get('/extended/v3/tokens/stx/supply')).toEqual({
    total: old.total_stx.replace('.', ''),
    projected_total_2050: '2318000000000000',
  });
});

test('errors name the wrong parameter', async () => {
  const refusals = {
    [`${v3}/nonsense/balances/stx`]: 'params/principal must match pattern',
    [`${v3}/${alice}.zebra/nonces`]: 'params/principal must match pattern',
    [`${v3}/${alice}/balances/ft/coin`]: 'params/asset_identifier must match pattern',
    [`${v3}/${alice}/balances/ft?limit=201`]: 'querystring/limit must be <= 200',
    [`${v3}/${alice}/balances/nft?limit=0`]: 'querystring/limit must be >= 1',
    [`${v3}/${alice}/balances/ft?cursor=a:b`]: 'querystring/cursor must match pattern',
    [`${v3}/${alice}/balances/nft?cursor=12:b`]: 'querystring/cursor must match pattern',
  };
  for (const [url, message] of Object.entries(refusals)) {
    const { status, body } = await ask(url);
    expect([url, status, body.message]).toEqual([url, 400, expect.stringContaining(message)]);
  }
});
