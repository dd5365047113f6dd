import { expect, test } from 'vitest';
import { isInboundTransfer } from '../../src/chain/inbound-transfer.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { addressOf, serveChainForFile } from '../support/served-chain.ts';

type Row = { tx_id: string; tx?: { tx_id: string } };
const idOf = (row: Row) => row.tx?.tx_id ?? row.tx_id;

const alice = addressOf(0);
const bob = addressOf(1);
/** Nobody of the random traffic. */
const carol = addressOf(50);

const genesisHash = `0x${'b0'.repeat(32)}`;

/** Fifteen blocks with random traffic, then a transfer and a deploy; beside the last ones a branch that lost. */
function makeBlocks() {
  const chain = testChain({ accounts: 4 });
  const line = mineLine(chain, chain.genesis, 15, { transactions: 6 });
  const pay = (amount: bigint) => ({
    tenure: 'new' as const,
    transactions: [{ kind: 'transfer', from: 0, to: carol, amount, fee: 3n }] as const,
  });
  const lost = chain.mine(line.at(-1), pay(2n));
  const won = chain.mine(line.at(-1), pay(10n));
  const top = chain.mine(won, { tenure: 'new', transactions: [{ kind: 'deploy', from: 0, name: 'searched' }] });
  // As on mainnet, whose block 0 has a hash.
  const genesis = { ...chain.genesis, body: { ...chain.genesis.body, block_hash: genesisHash } };
  return { all: [genesis, ...line, lost, won, top], lost, top };
}

const blocks = makeBlocks();
const served = serveChainForFile(() => blocks.all);
const { get, ask } = served;

test.each([
  `/extended/v1/address/${alice}/transactions`,
  `/extended/v1/address/${alice}/transactions_with_transfers`,
  `/extended/v2/addresses/${alice}/transactions`,
  `/extended/v1/address/${alice}/assets`,
  `/extended/v1/address/${alice}/stx_inbound`,
])('pages of %s join without gaps or repeats', async url => {
  const all = await get(`${url}?limit=50`);
  expect(all.total).toBeGreaterThan(7);
  const join = async (limit: number) => {
    const rows: unknown[] = [];
    for (let offset = 0; offset < all.total; offset += limit) {
      const page = await get(`${url}?limit=${limit}&offset=${offset}`);
      expect(page.total).toBe(all.total);
      rows.push(...page.results);
    }
    return rows;
  };
  const joined = await join(3);
  expect(joined.slice(0, 50)).toEqual(all.results);
  expect(joined).toHaveLength(all.total);
  // Pages so small that the rows of other kinds between theirs are many.
  expect(await join(1)).toEqual(joined);
  expect(new Set(joined.map(row => JSON.stringify(row))).size).toBe(all.total);
  expect(await get(`${url}?offset=100000`)).toMatchObject({ total: 0, results: [] });
});

test('a history up to a block, and of one block, is part of the whole', async () => {
  const url = `/extended/v1/address/${alice}/transactions_with_transfers`;
  const all = await get(`${url}?limit=50`);
  const upTo = await get(`${url}?limit=50&until_block=6`);
  expect(upTo.results).toEqual(all.results.filter((row: { tx: { block_height: number } }) => row.tx.block_height <= 6));
  const height = all.results[0].tx.block_height;
  const one = await get(`${url}?limit=50&height=${height}`);
  expect(one.results).toEqual(
    all.results.filter((row: { tx: { block_height: number } }) => row.tx.block_height === height),
  );
  expect(one.total).toBe(one.results.length);
  expect(await get(`${url}?height=999999`)).toMatchObject({ total: 0 });
  expect((await ask(`${url}?height=1&until_block=1`)).status).toBe(400);
  expect((await ask(`${url}?height=99999999999`)).status).toBe(400);
});

test('cursors walk the same list, older by prev and newer by next', async () => {
  const url = `/extended/v2/addresses/${alice}/transactions`;
  const plain = await get(`${url}?limit=50`);
  expect(plain).not.toHaveProperty('cursor');
  const pages = [await get(`${url}?limit=4&cursor=`)];
  while (pages.at(-1).prev_cursor) pages.push(await get(`${url}?limit=4&cursor=${pages.at(-1).prev_cursor}`));
  expect(pages.flatMap(page => page.results.map(idOf)).slice(0, 50)).toEqual(plain.results.map(idOf));
  expect(pages[0].next_cursor).toBeNull();
  expect(pages[1].next_cursor).toBe(pages[0].cursor);
  expect((await ask(`${url}?cursor=nonsense`)).status).toBe(404);
  expect((await ask(`${url}?cursor=0x${'ab'.repeat(32)}:0:0`)).status).toBe(404);
});

test('requested as version 9, the list always has cursors, and has its own ETag', async () => {
  const url = `/extended/v2/addresses/${alice}/transactions?limit=4`;
  const asked = async (version?: string) => {
    const response = await served.app.inject({ url, ...(version && { headers: { 'x-api-version': version } }) });
    return { body: response.json(), etag: response.headers.etag };
  };
  const older = await asked();
  const newer = await asked('9.0.2');
  expect(newer.body).toEqual(await get(`${url}&cursor=`));
  expect(newer.body).toMatchObject({ ...older.body, cursor: expect.any(String), next_cursor: null });
  expect(newer.etag).not.toBe(older.etag);
  expect(await asked('8.13.6')).toEqual(older);
  const second = await get(`${url}&cursor=${newer.body.prev_cursor}`);
  expect(second.results).toEqual((await get(`${url}&offset=4`)).results);
});

test('after a fork the history is that of the branch that won', async () => {
  const { results, total } = await get(`/extended/v1/address/${carol}/stx_inbound`);
  expect(results).toMatchObject([{ sender: alice, amount: '10', transfer_type: 'stx-transfer' }]);
  expect(total).toBe(1);
  const cursor = `${blocks.lost.indexHash}:2147483647:1`;
  const { status, body } = await ask(`/extended/v2/addresses/${carol}/transactions?cursor=${cursor}`);
  expect(status).toBe(404);
  expect(body.message).toContain('no longer part of the chain');
});

test('a transaction shows the amounts that it moved for the account, with the fee for its payer', async () => {
  const [received] = (await get(`/extended/v1/address/${carol}/transactions_with_transfers`)).results;
  expect(received).toMatchObject({
    stx_sent: '0',
    stx_received: '10',
    stx_transfers: [{ amount: '10', sender: alice, recipient: carol }],
    ft_transfers: [],
    nft_transfers: [],
  });
  const id = received.tx.tx_id;
  expect(await get(`/extended/v1/address/${alice}/${id}/with_transfers`)).toMatchObject({
    stx_sent: '13',
    stx_received: '0',
  });
  expect((await ask(`/extended/v1/address/${addressOf(9)}/${id}/with_transfers`)).status).toBe(404);
  expect((await ask(`/extended/v1/address/${carol}/0x1234/with_transfers`)).status).toBe(404);
  const data = { type: 'transfer', amount: '10', sender: alice, recipient: carol };
  expect(await get(`/extended/v2/addresses/${carol}/transactions/${id}/events`)).toMatchObject({
    total: 1,
    results: [{ type: 'stx', event_index: 0, data }],
  });
  expect((await ask(`/extended/v2/addresses/${carol}/transactions/0x${'ab'.repeat(32)}/events`)).status).toBe(404);
  const [counted] = (await get(`/extended/v2/addresses/${carol}/transactions`)).results;
  expect(counted.events.stx).toEqual({ transfer: 1, mint: 0, burn: 0 });
});

test('a search finds transactions, blocks, accounts and contracts', async () => {
  const search = async (term: string) => (await get(`/extended/v1/search/${term}`)).result;
  const { height } = blocks.top;
  expect(await search(blocks.top.hash)).toMatchObject({ entity_type: 'block_hash', block_data: { height } });
  expect(await search(blocks.lost.hash)).toMatchObject({ block_data: { canonical: false } });
  expect(await search(genesisHash)).toMatchObject({ entity_type: 'block_hash', block_data: { height: 0 } });
  const contract = await search(`${alice}.searched`);
  expect(contract).toMatchObject({ entity_type: 'contract_address', tx_data: { block_height: height } });
  expect(await search(contract.tx_data.tx_id.toUpperCase())).toMatchObject({ entity_type: 'tx_id' });
  expect(await search(`${carol}?include_metadata=true`)).toMatchObject({ metadata: { balance: '10' } });
  for (const [term, type] of [
    [`0x${'ab'.repeat(32)}`, 'unknown_hash'],
    // The hash of no block.
    [`0x${'00'.repeat(32)}`, 'unknown_hash'],
    ['nonsense', 'invalid_term'],
    [addressOf(88), 'standard_address'],
    [`${alice}.other`, 'contract_address'],
  ]) {
    const { status, body } = await ask(`/extended/v1/search/${term}`);
    expect([status, body.found, body.result.entity_type]).toEqual([404, false, type]);
  }
});

test('STX count as coming in when they say what for', () => {
  const sides = { sender: alice, recipient: bob, amount: 1n };
  const bare = { kind: 'stx_transfer', ...sides, memo: new Uint8Array(0) } as const;
  const print = (contract: string) => ({ kind: 'print', contract, value: new Uint8Array(1) }) as const;
  expect(isInboundTransfer({ ...bare, memo: new Uint8Array(34) }, undefined)).toBe(true);
  expect(isInboundTransfer(bare, undefined)).toBe(false);
  expect(isInboundTransfer(bare, print(`${alice}.send-many-memo`))).toBe(true);
  expect(isInboundTransfer(bare, print(`${alice}.other`))).toBe(false);
  expect(isInboundTransfer({ kind: 'stx_mint', recipient: bob, amount: 1n }, undefined)).toBe(false);
});

test('invalid requests are rejected with the messages of the incumbent', async () => {
  const account = '"^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}"';
  const contract = '"^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$"';
  const shape = (name: string) =>
    [account, contract].map(pattern => `${name} must match pattern ${pattern}, `).join('') +
    `${name} must match a schema in anyOf`;
  const constant = 'params/pox must be equal to constant, ';
  for (const [url, message] of [
    ['/extended/v1/address/nobody/stx', shape('params/principal')],
    ['/extended/v2/addresses/nobody/transactions', shape('params/address')],
    ['/extended/v1/tx/events?address=nobody', shape('querystring/address')],
    ['/extended/v1/tx/mempool?address=nobody', `querystring/address must match pattern ${account}`],
    [`/extended/v1/address/${alice.slice(0, -1)}/stx`, `invalid STX address "${alice.slice(0, -1)}"`],
    ['/extended/v1/pox1/events', `${constant.repeat(3)}params/pox must match a schema in anyOf`],
    [`/extended/v1/tx/multiple?tx_id=${'ab'.repeat(32)}`, 'Hex string is missing the "0x" prefix'],
    ['/extended/v1/burnchain/rewards/nobody', 'Address is not a valid Bitcoin or STX address.'],
    ['/extended/v1/burnchain/rewards/nobody/total', 'Address nobody is not a valid Bitcoin or STX address.'],
    ['/extended/v2/pox/cycles/9', 'Not found'],
    ['/extended/v2/pox/cycles/9/signers', 'PoX cycle not found'],
  ]) {
    expect((await ask(url!)).body, url).toMatchObject({ message });
  }
});
