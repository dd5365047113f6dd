import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Action } from '@cairn-stacks/devnet/chain/action';
import { describe, expect, test } from 'vitest';
import { mineLine, testChain } from '../support/chain.ts';
import { serveChainForFile } from '../support/served-chain.ts';

const { address } = accountAt(0, false);
const contract = `${address}.token`;
const announce = (number: number): Action => ({ from: 0, kind: 'call', contract, call: { name: 'announce', number } });

describe('a contract that talks', () => {
  const chain = testChain();
  const deploy = chain.mine(chain.genesis, {
    transactions: [
      { from: 0, kind: 'deploy', name: 'token' },
      { from: 0, kind: 'deploy', name: 'broken', fails: 'response' },
    ],
  });
  const talk = [0, 1, 2, 3, 4].reduce(
    line => [...line, chain.mine(line.at(-1)!, { transactions: [announce(1), announce(2), announce(3)] })],
    [deploy],
  );
  const quiet = mineLine(chain, talk.at(-1)!, 2, { transactions: 0 });
  const { get, ask } = serveChainForFile(() => [chain.genesis, ...talk, ...quiet]);

  test('is shown with its source and its interface', async () => {
    const shown = await get(`/extended/v1/contract/${contract}`);
    expect(shown).toMatchObject({ contract_id: contract, block_height: 1, canonical: true });
    expect(JSON.parse(shown.abi).functions.length).toBeGreaterThan(5);
    expect(shown.source_code.length).toBeGreaterThan(0);
    expect((await ask(`/extended/v1/contract/${address}.nothing`)).status).toBe(404);
  });

  test('one whose deploy failed is shown and found without an interface', async () => {
    const broken = `${address}.broken`;
    const shown = await get(`/extended/v1/contract/${broken}`);
    expect(shown).toMatchObject({ contract_id: broken, block_height: 1, canonical: true, abi: null });
    expect(shown.source_code.length).toBeGreaterThan(0);
    expect((await get(`/extended/v1/search/${broken}`)).result).toMatchObject({
      entity_type: 'contract_address',
      tx_data: { tx_id: shown.tx_id, block_height: 1 },
    });
  });

  test('has a status, and so has one that failed', async () => {
    const ids = [contract, `${address}.broken`, `${address}.nothing`];
    const query = ids.map(id => `contract_id=${id}`).join('&');
    expect(await get(`/extended/v2/smart-contracts/status?${query}`)).toMatchObject({
      [ids[0]!]: { found: true, result: { status: 'success', block_height: 1 } },
      [ids[1]!]: { found: true, result: { status: 'abort_by_response' } },
      [ids[2]!]: { found: false },
    });
  });

  test('its prints come newest first from any offset', async () => {
    const url = `/extended/v1/contract/${contract}/events`;
    const { results } = await get(`${url}?limit=50`);
    expect(results.length).toBe(15);
    for (const offset of [0, 1, 4, 7, 14, 15]) {
      const page = await get(`${url}?limit=4&offset=${offset}`);
      expect(page.results, `offset ${offset}`).toEqual(results.slice(offset, offset + 4));
    }
    expect((await get('/extended/v1/contract/nobody/events')).results).toEqual([]);
  });

  test('the cursors of its log join page to page, both ways', async () => {
    const url = `/extended/v2/smart-contracts/${contract}/logs`;
    const pages = [await get(`${url}?limit=4`)];
    while (pages.at(-1).prev_cursor) pages.push(await get(`${url}?limit=4&cursor=${pages.at(-1).prev_cursor}`));
    const { results } = await get(`/extended/v1/contract/${contract}/events?limit=50`);
    expect(pages.flatMap(page => page.results)).toEqual(results);
    expect(pages[0]).toMatchObject({ total: 15, next_cursor: null });
    expect(await get(`${url}?limit=4&cursor=${pages[2].next_cursor}`)).toEqual(pages[1]);
    expect((await ask(`${url}?cursor=0:0:0:0`)).status).toBe(404);
    expect((await ask(`${url}?offset=-1`)).status).toBe(400);
    const nobody = await get(`/extended/v2/smart-contracts/${address}.nothing/logs`);
    expect(nobody).toMatchObject({ total: 0, results: [], cursor: null });
  });

  test('is found by a trait it implements, with any argument names', async () => {
    const outputs = { type: { response: { ok: 'bool', error: 'uint128' } } };
    const trait = (type: string) => ({
      functions: [{ name: 'announce', access: 'public', args: [{ name: 'other', type }], outputs }],
    });
    const search = (abi: object) =>
      ask(`/extended/v1/contract/by_trait?trait_abi=${encodeURIComponent(JSON.stringify(abi))}`);
    const found = await search(trait('uint128'));
    expect(found.body.results.map((each: { contract_id: string }) => each.contract_id)).toEqual([contract]);
    expect((await search(trait('int128'))).status).toBe(404);
    expect((await search({ maps: [] })).status).toBe(400);
    expect((await ask('/extended/v1/contract/by_trait?trait_abi=no-json')).status).toBe(400);
  });
});

describe('contracts of one block', () => {
  const chain = testChain();
  const names = Array.from({ length: 12 }, (_, i) => `token-${i}`);
  const first = chain.mine(chain.genesis, { transactions: [{ from: 0, kind: 'deploy', name: 'older' }] });
  const second = chain.mine(first, { transactions: names.map(name => ({ from: 0, kind: 'deploy', name })) });
  const { get } = serveChainForFile(() => [chain.genesis, first, second]);

  test('a search by trait gives each of them once, newest block first, for every page size', async () => {
    type Found = { contract_id: string; block_height: number };
    const url = `/extended/v1/contract/by_trait?trait_abi=${encodeURIComponent('{"functions":[]}')}`;
    const { results: all }: { results: Found[] } = await get(`${url}&limit=50`);
    const ids = (rows: Found[]) => rows.map(row => row.contract_id);
    expect(ids(all).filter(id => id.startsWith(address))).toHaveLength(names.length + 1);
    for (const limit of [1, 2, 5]) {
      const rows: Found[] = [];
      while (rows.length < all.length) rows.push(...(await get(`${url}&limit=${limit}&offset=${rows.length}`)).results);
      expect(ids(rows).sort()).toEqual(ids(all).sort());
      expect(rows.map(row => row.block_height)).toEqual(all.map(row => row.block_height));
    }
  });
});
