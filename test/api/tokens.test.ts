import { uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { toHex } from '@cairn-stacks/codec/hex';
import { expect, test } from 'vitest';
import { listContractsByFunctions } from '../../src/read/contracts/contracts-queries.ts';
import { ListPositionCache } from '../../src/read/pages/list-position-cache.ts';
import { type Holding, listStxHolders } from '../../src/read/tokens/holders-queries.ts';
import { listNftHoldingsWithin } from '../../src/read/tokens/nfts-queries.ts';
import { testChain } from '../support/chain.ts';
import { startSampleApi } from '../support/sample-api.ts';
import { addressOf, serveChainForFile } from '../support/served-chain.ts';

const [alice, bob, carol] = [0, 1, 2].map(addressOf) as [string, string, string];
const contract = `${alice}.tokens`;
const items = encodeURIComponent(`${contract}::item`);
const item = (number: number) => toHex(encodeClarity(uint(number)));

/** Alice mints coins and items; item 1 goes to Bob and on to Carol, item 2 is burnt. */
function makeBlocks() {
  const chain = testChain({ allocation: 1_000_000n, accounts: 3 });
  const call = { kind: 'call', from: 0, contract } as const;
  const first = chain.mine(chain.genesis, {
    transactions: [
      { kind: 'deploy', from: 0, name: 'tokens' },
      { ...call, call: { name: 'mint', amount: 70n, to: bob } },
      { ...call, call: { name: 'mint', amount: 30n, to: carol } },
      { ...call, call: { name: 'mint-item', item: 1, to: alice } },
      { ...call, call: { name: 'mint-item', item: 2, to: alice } },
      { ...call, call: { name: 'mint-item', item: 3, to: bob } },
    ],
  });
  const second = chain.mine(first, {
    transactions: [
      { ...call, call: { name: 'transfer-item', item: 1, to: bob } },
      { ...call, call: { name: 'burn-item', item: 2 } },
    ],
  });
  const third = chain.mine(second, {
    transactions: [{ ...call, from: 1, call: { name: 'transfer-item', item: 1, to: carol } }],
  });
  return [chain.genesis, first, second, third];
}

const blocks = makeBlocks();
const { get, ask } = serveChainForFile(() => blocks);

test('pages near either end of the holders are the same, and those between can be refused', async t => {
  const { database } = await startSampleApi(t, 6);
  const all = await listStxHolders(database.sql, { limit: 1_000, offset: 0 }, new ListPositionCache());
  if (all === 'too deep') throw new Error('the first page is never too deep');
  const { total, rows } = all;
  expect(total).toBeGreaterThan(30);
  for (const offset of [3, 10, total - 15, total - 2, total]) {
    const page = await listStxHolders(database.sql, { limit: 5, offset }, new ListPositionCache(), 10);
    expect(page, `offset ${offset}`).toMatchObject({ rows: rows.slice(offset, offset + 5) });
  }
  expect(await listStxHolders(database.sql, { limit: 5, offset: 12 }, new ListPositionCache(), 10)).toBe('too deep');
});

test('pages of NFTs and of contracts by trait that are too deep are refused; those beyond the end are empty', async t => {
  const { sql } = (await startSampleApi(t, 20)).database;
  const [owner] = await sql<{ name: Buffer; count: number }[]>`
    select p.name, count(*)::int as count
    from nft_current n
    join principals p on p.id = n.owner
    group by p.name
    order by count(*) desc
    limit 1
  `;
  const { name, count } = owner!;
  expect(count).toBeGreaterThan(1);
  const holdings = (offset: number) => listNftHoldingsWithin(sql, name, undefined, { limit: 5, offset }, 0);
  expect(await holdings(0)).toMatchObject({ total: count });
  await expect(holdings(1)).rejects.toThrow('/extended/v3/principals/{principal}/balances/nft by its cursor');
  expect(await holdings(count)).toEqual({ total: 0, rows: [] });
  const contracts = (offset: number, most: number) => listContractsByFunctions(sql, [], { limit: 5, offset }, most);
  const all = await listContractsByFunctions(sql, [], { limit: 5, offset: 0 });
  expect(all).not.toEqual([]);
  expect(await contracts(0, 0)).toEqual(all);
  await expect(contracts(1, 0)).rejects.toThrow('narrow it by more functions');
  expect(await contracts(1_000_000, 100_000)).toEqual([]);
});

test('a page of holders is the same wherever it is walked to from, and after each change of them', async t => {
  const { database } = await startSampleApi(t, 2);
  const { sql } = database;
  await sql`
    with made as (
      insert into principals (id, name)
      select 1000000 + n, decode(lpad(to_hex(n), 42, '0'), 'hex') from generate_series(1, 2000) n
      returning id
    )
    insert into holders (asset, principal, balance) select 0, id, 1000 + id % 7 from made
  `;
  const positions = new ListPositionCache<Holding>();
  const compare = async () => {
    const rows = await sql<{ holding: string }[]>`
      select h.principal || ' ' || h.balance as holding
      from holders h
      where h.asset = 0
      order by h.balance desc, h.principal desc
    `;
    for (const offset of [1900, 0, 100, 200, 1900, 950, 1000, 199, 1999, 40]) {
      const page = await listStxHolders(sql, { limit: 100, offset }, positions);
      expect(page, `offset ${offset}`).toMatchObject({ rows: rows.slice(offset, offset + 100) });
    }
  };
  await compare();
  await compare();
  await sql`update holders set balance = balance * 2 where principal % 5 = 0`;
  await sql`update fold_position set revision = default`;
  await compare();
});

test('holders come largest first, with the supply', async () => {
  const coin = encodeURIComponent(`${contract}::coin`);
  expect(await get(`/extended/v1/tokens/ft/${coin}/holders`)).toMatchObject({
    total_supply: '100',
    total: 2,
    results: [
      { address: bob, balance: '70' },
      { address: carol, balance: '30' },
    ],
  });
  const second = await get(`/extended/v1/tokens/ft/${coin}/holders?limit=1&offset=1`);
  expect(second.results).toEqual([{ address: carol, balance: '30' }]);
  const stx = await get('/extended/v1/tokens/ft/stx/holders?limit=200');
  const balances = stx.results.map((holder: { balance: string }) => BigInt(holder.balance));
  expect(balances).toEqual([...balances].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
  expect(stx.total).toBe(balances.length);
  expect(BigInt(stx.total_supply)).toBe(balances.reduce((sum: bigint, each: bigint) => sum + each, 0n));
  expect(await get('/extended/v1/tokens/ft/nothing/holders')).toMatchObject({ total: 0, total_supply: '0' });
});

test('the history of an NFT runs from its last move to its mint', async () => {
  const url = `/extended/v1/tokens/nft/history?asset_identifier=${items}&value=${item(1)}`;
  const { total, results } = await get(url);
  expect(total).toBe(3);
  expect(results).toMatchObject([
    { asset_event_type: 'transfer', sender: bob, recipient: carol },
    { asset_event_type: 'transfer', sender: alice, recipient: bob },
    { asset_event_type: 'mint', sender: null, recipient: alice },
  ]);
  expect((await get(`${url}&limit=1&offset=1`)).results).toEqual([results[1]]);
  const burnt = await get(`/extended/v1/tokens/nft/history?asset_identifier=${items}&value=${item(2).slice(2)}`);
  expect(burnt.results[0]).toMatchObject({ asset_event_type: 'burn', sender: alice });
  expect(burnt.results[0]).not.toHaveProperty('recipient');
});

test('mints of a class come newest first', async () => {
  const { total, results } = await get(`/extended/v1/tokens/nft/mints?asset_identifier=${items}`);
  expect(total).toBe(3);
  expect(results.map((mint: { value: { repr: string } }) => mint.value.repr)).toEqual(['u3', 'u2', 'u1']);
  const last = await get(`/extended/v1/tokens/nft/mints?asset_identifier=${items}&offset=2`);
  expect(last.results).toEqual([results[2]]);
});

test('holdings are the current NFTs, with the whole transaction on request', async () => {
  const url = '/extended/v1/tokens/nft/holdings?principal=';
  expect(await get(url + alice)).toMatchObject({ total: 0, results: [] });
  expect(await get(url + carol)).toMatchObject({ total: 1, results: [{ value: { repr: 'u1' }, block_height: 3 }] });
  const whole = await get(`${url}${bob}&tx_metadata=true&asset_identifiers=${items}`);
  expect(whole.results).toMatchObject([{ value: { repr: 'u3' }, tx: { block_height: 1, tx_type: 'contract_call' } }]);
  expect(await get(`${url}${bob}&asset_identifiers=${contract}::other`)).toMatchObject({ total: 0 });
});

test('what names no asset or no value is refused', async () => {
  for (const query of [
    'history?asset_identifier=bad&value=0x01',
    `history?asset_identifier=${items}&value=zz`,
    `history?asset_identifier=${items}&value=0x012`,
    `history?asset_identifier=${items}`,
    'mints?asset_identifier=bad',
    'holdings?principal=nobody',
    `holdings?principal=${alice}&asset_identifiers=bad`,
    `holdings?principal=${alice}&limit=201`,
  ]) {
    expect((await ask(`/extended/v1/tokens/nft/${query}`)).status).toBe(400);
  }
});

test('transfers of a token are listed newest first, by cursor', async () => {
  const path = `/extended/v1/tokens/ft/${encodeURIComponent(`${contract}::coin`)}/transfers`;
  const mint = { type: 'mint', sender: null, block_height: 1, event_index: 0 };
  const newest = { ...mint, recipient: carol, amount: '30' };
  const { cursor, results } = await get(`${path}?limit=1`);
  expect(results).toMatchObject([newest]);
  const rest = await get(`${path}?limit=1&cursor=${cursor.next}`);
  expect(rest).toMatchObject({
    limit: 1,
    cursor: { next: null },
    results: [{ ...mint, recipient: bob, amount: '70' }],
  });
  expect((await get(path)).results).toMatchObject([newest, rest.results[0]]);
  expect((await get(path.replace('coin', 'none'))).results).toEqual([]);
  expect((await ask(`${path}?cursor=nonsense`)).status).toBe(400);
  expect((await ask('/extended/v1/tokens/ft/coin/transfers')).status).toBe(400);
});

test('transfers of a collection are listed newest first, with the NFT of each', async () => {
  const path = `/extended/v1/tokens/nft/${items}/transfers`;
  const { results } = await get(path);
  type Move = { type: string; value: { repr: string }; sender: string | null; recipient: string | null };
  expect(
    results.map(({ type, value, sender, recipient }: Move) => [type, value.repr, sender, recipient].join(' ')),
  ).toEqual([
    `transfer u1 ${bob} ${carol}`,
    `burn u2 ${alice} `,
    `transfer u1 ${alice} ${bob}`,
    `mint u3  ${bob}`,
    `mint u2  ${alice}`,
    `mint u1  ${alice}`,
  ]);
  const first = await get(`${path}?limit=4`);
  const rest = await get(`${path}?limit=4&cursor=${first.cursor.next}`);
  expect([...first.results, ...rest.results]).toEqual(results);
  expect(rest.cursor.next).toBeNull();
  expect((await get(path.replace('item', 'none'))).results).toEqual([]);
  // A fungible token is no collection, and the other way round.
  expect((await get(path.replace('item', 'coin'))).results).toEqual([]);
  expect((await get(path.replace('nft', 'ft'))).results).toEqual([]);
  expect((await ask('/extended/v1/tokens/nft/item/transfers')).status).toBe(400);
});

test('holders of a collection are those who own some, the most first', async () => {
  const path = `/extended/v1/tokens/nft/${items}/holders`;
  const ordered = [bob, carol].sort();
  expect(await get(path)).toMatchObject({
    total: 2,
    cursor: { next: null },
    results: ordered.map(principal => ({ principal, balance: '1' })),
  });
  const first = await get(`${path}?limit=1`);
  expect(first.results).toMatchObject([{ principal: ordered[0] }]);
  const second = await get(`${path}?limit=1&cursor=${first.cursor.next}`);
  expect(second.results).toMatchObject([{ principal: ordered[1] }]);
  expect(await get(path.replace('item', 'none'))).toMatchObject({ total: 0, results: [] });
  expect((await ask(`${path}?cursor=nonsense`)).status).toBe(400);
  // They are not among the holders of fungible tokens.
  expect(await get(`/extended/v1/tokens/ft/${items}/holders`)).toMatchObject({ total: 0, results: [] });
  expect((await get(`/extended/v3/tokens/ft/${items}/holders`)).results).toEqual([]);
});
