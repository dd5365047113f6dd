import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { createClient } from '@stacks/blockchain-api-client';
import { expect, test } from 'vitest';
import { sampleApi } from '../../support/sample-api.ts';

type Client = ReturnType<typeof createClient>;
type Path = Parameters<Client['GET']>[0];
type Params = { path?: Record<string, string | number>; query?: Record<string, unknown> };
type Page = { total: number; results: Record<string, unknown>[] };

let client: Client;
let known: Record<string, string>;
sampleApi(async ({ app, samples }) => {
  client = createClient({ baseUrl: await app.listen({ host: '127.0.0.1', port: 0 }) });
  known = Object.assign({}, ...samples.slice(0, 8).reverse()) as Record<string, string>;
});

/** Asks as an application does; the types of the client know paths and answers, but not which path comes. */
async function get<T = Record<string, unknown>>(path: Path, params: Params = {}): Promise<T> {
  const { data, error, response } = await client.GET(path as '/extended', { params } as never);
  expect([path, response.status, error]).toEqual([path, 200, undefined]);
  return data as T;
}

test('status, blocks and burn blocks', async () => {
  const { chain_tip: tip } = await get<{ chain_tip: { block_height: number; block_hash: string } }>('/extended');
  expect(tip.block_height).toBe(40);
  const blocks = await get<Page & { cursor: string; prev_cursor: string }>('/extended/v2/blocks/', {
    query: { limit: 5 },
  });
  expect(blocks.results.map(block => block.height)).toEqual([40, 39, 38, 37, 36]);
  const older = await get<Page>('/extended/v2/blocks/', { query: { limit: 5, cursor: blocks.prev_cursor } });
  expect(older.results[0]).toMatchObject({ height: 35 });
  for (const key of ['latest', tip.block_height, tip.block_hash]) {
    const path = { height_or_hash: key };
    expect(await get('/extended/v2/blocks/{height_or_hash}', { path })).toMatchObject({ hash: tip.block_hash });
  }
  const path = { height_or_hash: 'latest' };
  const listed = await get<Page>('/extended/v2/blocks/{height_or_hash}/transactions', { path });
  expect(listed.results.length).toBeGreaterThan(0);
  await get('/extended/v2/blocks/{height_or_hash}/signer-signatures', { path });
  await get('/extended/v2/blocks/average-times');
  const burn = await get<Page>('/extended/v2/burn-blocks/', { query: { limit: 2 } });
  expect(burn.results).toHaveLength(2);
  await get('/extended/v2/burn-blocks/{height_or_hash}', { path });
  await get('/extended/v2/burn-blocks/{height_or_hash}/blocks', { path });
  await get('/extended/v2/block-tenures/{tenure_height}/blocks', { path: { tenure_height: known.tenure_height! } });
  await get('/extended/v1/block/', { query: { limit: 3 } });
  await get('/extended/v1/block/by_height/{height}', { path: { height: 3 } });
  await get('/extended/v1/block/{hash}', { path: { hash: tip.block_hash } });
  await get('/extended/v1/info/network_block_times');
});

test('transactions, their events and the mempool', async () => {
  const page = await get<Page>('/extended/v1/tx/', { query: { limit: 10, type: ['token_transfer', 'contract_call'] } });
  expect(page.results.every(each => /^(token_transfer|contract_call)$/.test(String(each.tx_type)))).toBe(true);
  const [first, second] = page.results.map(each => String(each.tx_id));
  expect(await get('/extended/v1/tx/{tx_id}', { path: { tx_id: first! } })).toMatchObject({ tx_id: first });
  expect(await get('/extended/v1/tx/{tx_id}/raw', { path: { tx_id: first! } })).toHaveProperty('raw_tx');
  const both = await get('/extended/v1/tx/multiple', { query: { tx_id: [first, second] } });
  expect(Object.keys(both)).toEqual([first, second]);
  await get('/extended/v1/tx/events', { query: { tx_id: first } });
  await get('/extended/v1/tx/block_height/{height}', { path: { height: 3 } });
  const waiting = await get<Page>('/extended/v1/tx/mempool', { query: { limit: 5, order_by: 'fee' } });
  expect(waiting.total).toBeGreaterThan(0);
  const stats = await get<{ tx_type_counts: Record<string, number> }>('/extended/v1/tx/mempool/stats');
  expect(stats.tx_type_counts.token_transfer).toBeGreaterThan(0);
  expect(await get('/extended/v2/mempool/fees')).toHaveProperty('all.low_priority');
  await get('/extended/v1/microblock/');
  await get('/extended/v1/microblock/unanchored/txs');
});

test('accounts', async () => {
  const { principal, tx_id } = known as { principal: string; tx_id: string };
  const path = { principal };
  const stx = await get<{ balance: string }>('/extended/v1/address/{principal}/stx', { path });
  expect(await get('/extended/v1/address/{principal}/balances', { path })).toMatchObject({
    stx: { balance: stx.balance },
  });
  expect(await get('/extended/v2/addresses/{principal}/balances/stx', { path })).toMatchObject({
    balance: stx.balance,
  });
  await get('/extended/v2/addresses/{principal}/balances/ft', { path });
  await get('/extended/v1/address/{principal}/balances', { path, query: { until_block: '5' } });
  const own = await get<Page>('/extended/v1/address/{principal}/transactions', { path, query: { limit: 5 } });
  expect(own.total).toBeGreaterThan(0);
  await get('/extended/v1/address/{principal}/transactions_with_transfers', { path });
  await get('/extended/v1/address/{principal}/{tx_id}/with_transfers', { path: { principal, tx_id } });
  await get('/extended/v1/address/{principal}/assets', { path });
  await get('/extended/v1/address/{principal}/stx_inbound', { path });
  await get('/extended/v1/address/{principal}/mempool', { path });
  expect(await get('/extended/v1/address/{principal}/nonces', { path })).toHaveProperty('possible_next_nonce');
  const address = { address: principal };
  await get('/extended/v2/addresses/{address}/transactions', { path: address });
  await get('/extended/v2/addresses/{address}/transactions/{tx_id}/events', { path: { ...address, tx_id } });
});

test('contracts, tokens, supply, search, stacking and names', async () => {
  const contract = { contract_id: known.contract_id! };
  expect(await get('/extended/v1/contract/{contract_id}', { path: contract })).toMatchObject(contract);
  await get('/extended/v1/contract/{contract_id}/events', { path: contract });
  await get('/extended/v1/contract/by_trait', { query: { trait_abi: known.trait_abi } });
  const statuses = await get('/extended/v2/smart-contracts/status', { query: { contract_id: [known.contract_id] } });
  expect(statuses).toMatchObject({ [known.contract_id!]: { found: true } });
  await get('/extended/v1/tokens/ft/{token}/holders', { path: { token: known.token! } });
  const rich = await get<Page>('/extended/v1/tokens/ft/{token}/holders', { path: { token: 'stx' } });
  expect(rich.total).toBeGreaterThan(100);
  const nft = { asset_identifier: known.asset_identifier, value: known.value };
  expect((await get<Page>('/extended/v1/tokens/nft/history', { query: nft })).total).toBeGreaterThan(0);
  await get('/extended/v1/tokens/nft/mints', { query: { asset_identifier: known.asset_identifier } });
  await get('/extended/v1/tokens/nft/holdings', { query: { principal: known.principal, tx_metadata: true } });
  expect(await get('/extended/v1/stx_supply/')).toHaveProperty('total_stx');
  await get('/extended/v1/stx_supply/legacy_format');
  expect(await get('/extended/v1/search/{id}', { path: { id: known.principal! } })).toMatchObject({ found: true });
  await get('/extended/v1/burnchain/rewards');
  await get('/extended/v1/burnchain/reward_slot_holders');
  await get('/extended/v1/{pox}/events', { path: { pox: 'pox4' } });
  await get('/extended/v2/pox/cycles');
  await get('/v1/names/');
  await get('/v1/namespaces/');
  await get('/v1/addresses/{blockchain}/{address}', { path: { blockchain: 'stacks', address: known.principal! } });
});

test('errors have the shape that its users read', async () => {
  const path = { tx_id: `0x${'ab'.repeat(32)}` };
  const missing = await client.GET('/extended/v1/tx/{tx_id}', { params: { path } } as never);
  expect([missing.response.status, missing.data]).toEqual([404, undefined]);
  expect(missing.error).toMatchObject({ error: 'Not Found', message: expect.any(String) });
  const wrong = await client.GET('/extended/v1/address/{principal}/stx', {
    params: { path: { principal: `${accountAt(0, false).address}X` } },
  } as never);
  expect(wrong.response.status).toBe(400);
  const many = await client.GET('/extended/v1/tx/', { params: { query: { limit: 51 } } } as never);
  expect(many.error).toMatchObject({ statusCode: 400, message: 'querystring/limit must be <= 50' });
  const closed = await client.POST('/extended/v1/faucets/stx', {
    params: { query: { address: known.principal } },
  } as never);
  expect([closed.response.status, closed.error]).toEqual([403, expect.objectContaining({ success: false })]);
});
