import { ok, stringAscii, uint } from '@cairn-stacks/codec/clarity/build';
import { fromHex } from '@cairn-stacks/codec/hex';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDevnet, testDevnet } from '../support/devnet.ts';
import { callerOf, dataSource, settled, startWorker } from '../support/metadata.ts';
import { type ServedChain, serveChain } from '../support/served-chain.ts';
import { append, positionOf, startFold, until } from '../support/service.ts';

const ends: (() => Promise<void>)[] = [];
const t = { onTestFinished: (end: () => Promise<void>) => void ends.unshift(end) };
let devnet: TestDevnet;
let api: ServedChain;
const contract = (name: string) => devnet.residents.contract(name);
const base = '/metadata/v1';

beforeAll(async () => {
  devnet = testDevnet();
  devnet.live(40);
  api = await serveChain(t, devnet.posted);
  const call = callerOf(devnet.node);
  startWorker(t, api.database.sql, devnet.node, {
    // The last marble has no URI function, and the first one speaks German.
    call: async (...args) => {
      const [, name, [id]] = args;
      if (name === 'get-token-uri' && id?.type === 'uint' && id.value === 3n && args[0].endsWith('.marbles')) {
        return { failed: 'Unchecked(NoSuchFunction)' };
      }
      return await call(...args);
    },
    source: async (uri, number, signal) => {
      const fetched = await dataSource(uri, number, signal);
      if ('failure' in fetched || !uri.includes('Marble') || number !== 1n) return fetched;
      const localization = { uri: 'x-{locale}', default: 'en', locales: ['en', 'de'] };
      const german = { ...fetched.metadata, name: 'Murmel 1' };
      return { metadata: { ...fetched.metadata, localization }, locales: new Map([['de', german]]) };
    },
  });
  await settled(api.database.sql);
});

afterAll(async () => {
  for (const end of ends) await end();
});

test('a fungible token has what its contract and its document say', async () => {
  const token = await api.get(`${base}/ft/${contract('stone')}`);
  expect(token).toMatchObject({
    ...{ name: 'Stone', symbol: 'STONE', decimals: 6, total_supply: expect.stringMatching(/^\d+$/) },
    token_uri: expect.stringMatching(/^data:application\/json/),
    image_uri: expect.stringMatching(/^data:image\/svg/),
    image_canonical_uri: token.image_uri,
    image_thumbnail_uri: token.image_uri,
    tx_id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    sender_address: contract('stone').split('.')[0],
    asset_identifier: `${contract('stone')}::stone`,
    metadata: { sip: 16, name: 'Stone', image: token.image_uri, cached_image: token.image_uri },
  });
  expect(token).not.toHaveProperty('metadata_error');
});

test('the search for people finds a token by the beginning of its symbol or name', async () => {
  const stone = {
    ...{ type: 'token', asset_identifier: `${contract('stone')}::stone`, asset_type: 'ft' },
    ...{ name: 'Stone', symbol: expect.stringMatching(/^STONE/) },
  };
  for (const q of ['st', 'STON', 'stone']) {
    const { results } = await api.get(`/extended/v1/search?q=${q}`);
    const tokens = results.filter(({ type }: { type: string }) => type === 'token');
    expect([q, tokens.filter((each: { name: unknown }) => each.name === 'Stone')]).toEqual([q, [stone]]);
  }
});

test('non-fungible and semi-fungible tokens have theirs; zero is a value', async () => {
  const marble = await api.get(`${base}/nft/${contract('marbles')}/1`);
  expect(marble).toMatchObject({
    token_uri: expect.stringContaining('Marble 1'),
    metadata: { sip: 16, name: 'Marble 1' },
  });
  expect(Object.keys(marble).sort()).toEqual(['metadata', 'token_uri']);
  expect(await api.get(`${base}/sft/${contract('pebbles')}/1`)).toMatchObject({
    ...{ decimals: 0, total_supply: expect.stringMatching(/^\d+$/) },
    metadata: { name: 'Pebble 1', properties: { collection: 'Pebbles' } },
  });
});

test('a document in another locale is found by its locale', async () => {
  const url = `${base}/nft/${contract('marbles')}/1`;
  expect((await api.get(`${url}?locale=de`)).metadata.name).toBe('Murmel 1');
  expect((await api.get(`${url}?locale=en`)).metadata.name).toBe('Marble 1');
  expect(await api.ask(`${url}?locale=fr`)).toMatchObject({ status: 422, body: { error: 'Locale not found' } });
  const etags = await Promise.all(
    ['', '?locale=de'].map(async query => (await api.app.inject(url + query)).headers.etag),
  );
  expect(new Set(etags).size).toBe(2);
});

test('a bad document leaves what the contract says, with the reason beside it', async () => {
  for (const [id, code] of [
    [3, 'address_refused'],
    [4, 'metadata_invalid'],
    [6, 'contract_call_failed'],
  ] as const) {
    const pebble = await api.get(`${base}/sft/${contract('pebbles')}/${id}`);
    expect(pebble).toMatchObject({ decimals: 0, metadata_error: { code, message: expect.any(String) } });
    expect(pebble.metadata_error.retry_at).toMatch(/^\d{4}-.*Z$/);
    expect(pebble).not.toHaveProperty('metadata');
  }
});

test('a token of which nothing could be read is an error with its code', async () => {
  expect(await api.ask(`${base}/nft/${contract('marbles')}/3`)).toEqual({
    status: 422,
    location: undefined,
    body: {
      error: 'Token error',
      message: 'get-token-uri failed: Unchecked(NoSuchFunction)',
      metadata_error: {
        ...{ code: 'contract_call_failed', message: 'get-token-uri failed: Unchecked(NoSuchFunction)' },
        retry_at: expect.any(String),
      },
    },
  });
});

test('collections are listed with what exists of them, and page by page', async () => {
  const list = '/extended/v1/tokens/nft/collections';
  const { next, results } = await api.get(list);
  expect(next).toBeNull();
  const asset = `${contract('marbles')}::marble`;
  const [supply] = (await api.get(`/extended/v1/history/supply?asset=${asset}&points=2`)).results.slice(-1);
  const { total: minted } = await api.get(`/extended/v1/tokens/nft/mints?asset_identifier=${asset}`);
  const { total: holders } = await api.get(`/extended/v1/tokens/nft/${asset}/holders`);
  expect(minted).toBeGreaterThan(0);
  const marbles = results.find((each: { contract_id: string }) => each.contract_id === contract('marbles'));
  expect(marbles).toEqual({
    ...{ contract_id: contract('marbles'), asset_identifier: asset, minted, holders, items: supply.supply },
  });
  const paged = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { next: string | null; results: unknown[] } = await api.get(
      `${list}?limit=1${cursor && `&cursor=${cursor}`}`,
    );
    paged.push(...page.results);
    cursor = page.next;
  }
  expect(paged).toEqual(results);
  expect((await api.ask(`${list}?cursor=x`)).status).toBe(400);
});

test('unknown contracts and tokens are not found, and errors are not cached', async () => {
  const unknown = { status: 404, body: { error: 'Contract not found' } };
  expect(await api.ask(`${base}/ft/${contract('nothing')}`)).toMatchObject(unknown);
  expect(await api.ask(`${base}/ft/${contract('pool')}`)).toMatchObject(unknown);
  const wrongChecksum = contract('stone').replace(/.\./, '0.');
  expect(await api.ask(`${base}/ft/${wrongChecksum}`)).toMatchObject(unknown);
  for (const id of ['0', '99999', '9'.repeat(39)]) {
    const answer = await api.ask(`${base}/nft/${contract('marbles')}/${id}`);
    expect(answer).toMatchObject({ status: 404, body: { error: 'Token not found' } });
  }
  const { headers } = await api.app.inject(`${base}/ft/${contract('nothing')}`);
  expect(headers).toMatchObject({ 'cache-control': 'no-store' });
  expect(headers.etag).toBeUndefined();
});

test('parameters that are wrong are named', async () => {
  for (const path of [
    '/ft?limit=61',
    '/ft?limit=0',
    '/ft?offset=-1',
    '/ft?order=up',
    '/ft?order_by=id',
    '/ft?address=x',
  ]) {
    expect(await api.ask(base + path)).toMatchObject({ status: 400, body: { error: 'Bad Request', statusCode: 400 } });
  }
  for (const path of ['/ft/stone', `/nft/${contract('marbles')}/x`, '/search', '/search?contract=x']) {
    expect((await api.ask(base + path)).status).toBe(400);
  }
  const many = Array.from({ length: 51 }, (_, i) => `contract=${contract('marbles')}:${i}`).join('&');
  expect((await api.ask(`${base}/search?${many}`)).status).toBe(400);
});

test('fungible tokens are listed with a true total, filtered and sorted', async () => {
  const list = async (query: string) => await api.get(`${base}/ft?${query}`);
  const all = await list('');
  expect(all).toMatchObject({ limit: 20, offset: 0, total: 3 });
  const names = all.results.map((each: { name: string }) => each.name);
  expect(names).toEqual(['<img src=x onerror=hacked=1>', 'sBTC', 'Stone']);
  expect(all.results[2]).toMatchObject({ contract_principal: contract('stone') });
  expect((await list('order=desc&order_by=name')).results[0].name).toBe('Stone');
  expect(all.results[0]).not.toHaveProperty('metadata');
  expect(await list('offset=7')).toEqual({ limit: 20, offset: 7, total: 3, results: [] });
  const matching = ['name=TON', 'symbol=stone', `address=${contract('stone')}`];
  for (const query of matching) expect((await list(query)).total).toBe(1);
  expect((await list('valid_metadata_only=true')).total).toBe(2);
  for (const query of ['name=%25', 'symbol=STON', 'name=_', `address=${contract('stonf')}`])
    expect((await list(query)).total).toBe(0);
});

test('several tokens are found at once; unknown ones are left out', async () => {
  const wanted = [
    contract('stone'),
    `${contract('marbles')}:2`,
    `${contract('marbles')}:777`,
    `${contract('pebbles')}:1`,
  ];
  const found = await api.get(`${base}/search?${wanted.map(each => `contract=${each}`).join('&')}`);
  expect(found).toMatchObject([
    { contract_id: contract('stone'), token_number: 1, token_type: 'ft', name: 'Stone', decimals: 6 },
    { contract_id: contract('marbles'), token_number: 2, token_type: 'nft' },
    { contract_id: contract('pebbles'), token_number: 1, token_type: 'sft', decimals: 0, description: 'A grey one.' },
  ]);
});

test('every route is also served without a version', async () => {
  for (const path of [
    '',
    '/ft',
    `/ft/${contract('stone')}`,
    `/nft/${contract('marbles')}/1`,
    `/search?contract=${contract('stone')}`,
  ]) {
    expect(await api.get(`/metadata${path}`)).toEqual(await api.get(`/metadata/v1${path}`));
  }
  expect(await api.get('/metadata')).toMatchObject({ status: 'ready', chain_tip: { block_height: 40 } });
});

test('an ETag holds until the content changes, also between two blocks', async () => {
  const { sql } = api.database;
  const ask = async (url: string, etag?: string) =>
    await api.app.inject({ url, ...(etag && { headers: { 'if-none-match': etag } }) });
  for (const url of [`${base}/ft`, `${base}/ft/${contract('stone')}`, `${base}/search?contract=${contract('stone')}`]) {
    const etag = String((await ask(url)).headers.etag);
    expect((await ask(url, etag)).statusCode).toBe(304);
    await sql`update tokens set symbol = symbol || 'S' where class = 1`;
    expect((await ask(url, etag)).statusCode).toBe(200);
  }
});

test('metadata=true adds names, symbols and decimals beside tokens, and changes nothing else', async () => {
  const stones = `${contract('stone')}::stone`;
  const stone = { name: 'Stone', symbol: expect.stringMatching(/^STONE/), decimals: 6 };
  const holders = await api.get(`/extended/v3/tokens/ft/${stones}/holders`);
  const holder = holders.results.find((each: { principal: string }) => !each.principal.includes('.')).principal;
  const both = async (url: string) => {
    const plain = await api.get(url);
    const named = await api.get(`${url}${url.includes('?') ? '&' : '?'}metadata=true`);
    const without = JSON.parse(JSON.stringify(named), (key, value) => (key === 'metadata' ? undefined : value));
    expect(without).toEqual(plain);
    return named;
  };
  const balances = await both(`/extended/v1/address/${holder}/balances`);
  expect(balances.fungible_tokens[stones].metadata).toEqual(stone);
  const [v2] = (await both(`/extended/v2/addresses/${holder}/balances/ft`)).results.filter(
    (each: { token: string }) => each.token === stones,
  );
  expect(v2.metadata).toEqual(stone);
  const v3 = (await both(`/extended/v3/principals/${holder}/balances/ft`)).results;
  expect(v3.find((each: { asset_identifier: string }) => each.asset_identifier === stones).metadata).toEqual(stone);
  expect((await both(`/extended/v3/tokens/ft/${stones}/holders`)).metadata).toEqual(stone);
  expect((await both(`/extended/v3/tokens/ft/${stones}/supply`)).metadata).toEqual(stone);
  expect((await both(`/extended/v1/tokens/ft/${stones}/holders`)).metadata).toEqual(stone);
  const assets = (await both(`/extended/v1/address/${holder}/assets?limit=100`)).results;
  expect(JSON.stringify(assets)).toContain('"metadata":{"name":"Stone"');
  await both(`/extended/v1/tx/events?address=${holder}`);
  const [minted] = (await api.get(`/extended/v1/tokens/nft/mints?asset_identifier=${contract('marbles')}::marble`))
    .results;
  const [holding] = (
    await both(
      `/extended/v1/tokens/nft/holdings?principal=${minted.recipient}&asset_identifiers=${contract('marbles')}::marble`,
    )
  ).results;
  expect(holding.metadata).toEqual({ name: `Marble ${holding.value.repr.slice(1)}` });
  const nfts = (await both(`/extended/v3/principals/${minted.recipient}/balances/nft`)).results;
  expect(nfts.some((each: { metadata?: object }) => each.metadata)).toBe(true);
});

test('a response with metadata follows the metadata, and one without does not', async () => {
  const url = `/extended/v3/tokens/ft/${contract('stone')}::stone/supply`;
  const etags = async () => ({
    plain: (await api.app.inject(url)).headers.etag,
    named: (await api.app.inject(`${url}?metadata=true`)).headers.etag,
  });
  const before = await etags();
  await api.database.sql`update tokens set name = 'Rock' where class = 1`;
  const after = await etags();
  expect(after.plain).toBe(before.plain);
  expect(after.named).not.toBe(before.named);
  const again = { url: `${url}?metadata=true`, headers: { 'if-none-match': String(after.named) } };
  expect((await api.app.inject(again)).statusCode).toBe(304);
});

test('from deployment over a notice and a fork to the answer', async () => {
  const { sql } = api.database;
  const fold = startFold(api.database);
  try {
    const follow = async (act: () => void) => {
      const before = devnet.posted.length;
      act();
      await append(api.database, devnet.posted.slice(before));
      await until(async () => (await positionOf(sql)).index_hash.equals(fromHex(devnet.node.tip.indexHash)));
      await settled(sql);
    };
    const polish = async () => {
      const { metadata } = await api.get(`${base}/nft/${contract('marbles')}/2`);
      return metadata.attributes[0].value as number;
    };
    await follow(() => devnet.live(1));
    const before = await polish();
    let sent = 0;
    // The residents polish now and then; the contract announces it.
    await until(async () => {
      await follow(() => devnet.live(1));
      return (await polish()) > before || sent++ > 60;
    });
    const after = await polish();
    expect(after).toBeGreaterThan(before);
    const supply = async () => {
      const { total_supply } = await api.get(`${base}/ft/${contract('stone')}`);
      return total_supply as string;
    };
    await follow(() => void devnet.node.fork(5));
    const told = await callerOf(devnet.node)(contract('stone'), 'get-total-supply', []);
    expect(told).toEqual({ value: ok(uint(BigInt(await supply()))) });
    const uri = await callerOf(devnet.node)(contract('marbles'), 'get-token-uri', [uint(2)]);
    const { token_uri } = await api.get(`${base}/nft/${contract('marbles')}/2`);
    expect(uri).toMatchObject({
      value: { value: { value: stringAscii(token_uri.replace('Marble 2', 'Marble {id}')) } },
    });
  } finally {
    await fold.stop();
  }
});
