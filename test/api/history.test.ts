import { describe, expect, test } from 'vitest';
import { equalSteps } from '../../src/chain/series.ts';
import { listHolderCounts } from '../../src/read/history/series-view.ts';
import { testChain } from '../support/chain.ts';
import { transfer } from '../support/mempool.ts';
import { arrivals, startMempoolApi } from '../support/mempool-api.ts';
import { addressOf, serveChainForFile } from '../support/served-chain.ts';

const [alice, bob] = [0, 1].map(addressOf) as [string, string];
const allocation = 1_000_000n;
const contract = `${alice}.tokens`;

/** Block 1 to 12: a transfer of 10 in each odd block, tokens in block 4. */
function makeBlocks() {
  const chain = testChain({ allocation, accounts: 3 });
  const blocks = [chain.genesis];
  for (let height = 1; height <= 12; height++) {
    const transfers = [{ kind: 'transfer', from: 0, to: bob, amount: 10n, fee: BigInt(height) }] as const;
    const tokens = [
      { kind: 'deploy', from: 0, name: 'tokens', fee: 1n },
      { kind: 'call', from: 0, contract, call: { name: 'mint', amount: 50n, to: alice }, fee: 1n },
      { kind: 'call', from: 0, contract, call: { name: 'transfer', amount: 20n, to: bob }, fee: 1n },
      { kind: 'call', from: 0, contract, call: { name: 'mint-item', item: 1, to: bob }, fee: 1n },
    ] as const;
    const transactions = height === 4 ? [...tokens] : height % 2 === 1 ? [...transfers] : [];
    blocks.push(chain.mine(blocks.at(-1)!, { transactions }));
  }
  return blocks;
}

const served = serveChainForFile(makeBlocks);
const { get, ask } = served;
const valuesOf = (page: { results: Record<string, unknown>[] }, key: string) => page.results.map(each => each[key]);

describe('heights of the points of a series', () => {
  test('are in equal steps with both ends', () => {
    expect(equalSteps(1, 11, 3)).toEqual([1, 6, 11]);
    expect(equalSteps(1, 12, 4)).toEqual([1, 4, 8, 12]);
    expect(equalSteps(5, 7, 100)).toEqual([5, 6, 7]);
    expect(equalSteps(5, 5, 2)).toEqual([5]);
    expect(equalSteps(6, 5, 2)).toEqual([]);
  });
});

test('a balance over time equals the balance that is asked for at each height', async () => {
  for (const points of [2, 5, 100]) {
    const page = await get(`/extended/v1/history/balances/${bob}?points=${points}`);
    expect(page.results).toHaveLength(Math.min(points, 12));
    expect([page.results[0].block_height, page.results.at(-1).block_height]).toEqual([1, 12]);
    for (const { block_height, block_time, balance } of page.results) {
      const { balance: expected } = await get(`/extended/v1/address/${bob}/stx?until_block=${block_height}`);
      const block = await get(`/extended/v2/blocks/${block_height}`);
      expect({ balance, block_time }).toEqual({ balance: expected, block_time: block.block_time });
    }
  }
});

test('points are as many blocks apart as a step says, and holders are those with a balance', async () => {
  const url = '/extended/v1/history/holders';
  const asset = encodeURIComponent(`${contract}::coin`);
  expect((await get(`${url}?asset=${asset}&step=3&from=1`)).results).toEqual(
    [0, 2, 2, 2].map((holders, i) => ({ block_height: 1 + 3 * i, block_time: expect.any(Number), holders })),
  );
  expect(
    valuesOf(await get(`${url}?asset=${encodeURIComponent(`${contract}::item`)}&step=1&from=3&to=5`), 'holders'),
  ).toEqual([0, 1, 1]);
  for (const { block_height, holders } of (await get(`${url}?step=4&to=9`)).results) {
    const { total } = await get(`/extended/v3/tokens/stx/holders?at_block=${block_height}`);
    expect(holders).toBe(total);
  }
  const counts = await get('/extended/v1/history/transactions?step=5&from=2');
  expect(valuesOf(counts, 'block_height')).toEqual([2, 7, 12]);
  expect((await ask(`${url}?step=4&points=4`)).status).toBe(400);
  expect((await ask(`${url}?step=0`)).status).toBe(400);
  const sql = served.database.sql;
  await expect(listHolderCounts(sql, undefined, { points: 5, step: 2 })).rejects.toThrow('more than 5 points');
  expect((await listHolderCounts(sql, undefined, { points: 6, step: 2 })).results).toHaveLength(6);
});

test('ends are heights or times, moved into the chain, and one point is enough for one block', async () => {
  const url = `/extended/v1/history/balances/${bob}`;
  expect(valuesOf(await get(`${url}?from=3&to=5`), 'block_height')).toEqual([3, 4, 5]);
  expect(valuesOf(await get(`${url}?from=11&to=99`), 'block_height')).toEqual([11, 12]);
  expect(valuesOf(await get(`${url}?from=7&to=7`), 'block_height')).toEqual([7]);
  const { block_time } = await get('/extended/v2/blocks/6');
  const time = encodeURIComponent(new Date(block_time * 1000).toISOString());
  expect(valuesOf(await get(`${url}?to=${time}&points=2`), 'block_height')).toEqual([1, 6]);
  expect(await get(`${url}?from=99`)).toEqual({ results: [] });
});

test('tokens: amounts of a fungible one, counts of a collection, supply and holders', async () => {
  const series = (asset: string) => get(`/extended/v1/history/balances/${bob}?from=3&to=5&asset=${asset}`);
  expect(valuesOf(await series(`${contract}::coin`), 'balance')).toEqual(['0', '20', '20']);
  expect(valuesOf(await series(`${contract}::item`), 'balance')).toEqual(['0', '1', '1']);
  expect(valuesOf(await series(`${contract}::nothing`), 'balance')).toEqual(['0', '0', '0']);
  const supply = await get(`/extended/v1/history/supply?from=3&to=4&asset=${contract}::coin`);
  expect(supply.results).toMatchObject([
    { block_height: 3, supply: '0', holders: 0 },
    { block_height: 4, supply: '50', holders: 2 },
  ]);
  const stx = await get('/extended/v1/history/supply?points=3');
  expect(stx.results.at(-1).supply).toBe(
    (await get('/extended/v1/stx_supply')).total_stx.replace('.', '').replace(/^0+/, ''),
  );
  expect(stx.results[0]).not.toHaveProperty('holders');
});

test('transactions of the steps add up to the total, by type too', async () => {
  for (const points of [2, 4, 100]) {
    const { results } = await get(`/extended/v1/history/transactions?points=${points}`);
    const sum = results.reduce((total: number, each: { count: number }) => total + each.count, 0);
    const { total } = await get('/extended/v1/tx?limit=1');
    expect([sum, results.at(-1).total]).toEqual([total, total]);
    for (const { count, types } of results) {
      expect(Object.values<number>(types).reduce((a, b) => a + b)).toBe(count);
    }
  }
  const { results } = await get('/extended/v1/history/transactions?from=4&to=4');
  expect(results[0].types).toMatchObject({ smart_contract: 1, contract_call: 3, token_transfer: 0 });
});

test('fees are percentiles of what users paid in the last blocks', async () => {
  const { results } = await get('/extended/v1/history/fees?from=3&to=3');
  expect(results).toMatchObject([{ block_height: 3, count: 2, p25: '1', p50: '1', p75: '3', p95: '3' }]);
});

test('the history of an account as CSV has a line for each asset that a transaction moved', async () => {
  const download = async (query = '') => {
    const { statusCode, headers, body } = await served.app.inject(`/extended/v1/history/transactions/${bob}${query}`);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const [header, ...lines] = body.trimEnd().split('\n');
    const names = header!.split(',');
    return lines.map(line => Object.fromEntries(line.split(',').map((value, i) => [names[i], value])));
  };
  const rows = await download();
  const { results } = await get(`/extended/v3/principals/${bob}/transactions?limit=50`);
  const listed = results.map((each: { transaction: { tx_id: string } }) => each.transaction.tx_id).reverse();
  // The allocation of block 0 is not in that list, and comes before the transactions of block 1.
  expect(rows.filter(row => row.block_height === '1').map(row => row.sender_address!.slice(0, 7))).toEqual([
    'ST00000',
    expect.not.stringMatching(/^ST00000/),
  ]);
  const later = rows.filter(row => !row.sender_address!.startsWith('ST00000'));
  expect([...new Set(later.map(row => row.tx_id))]).toEqual(listed);
  // With it, the lines of an asset add up to the balance.
  const stx = rows.filter(row => row.asset === 'stx');
  const balance = stx.reduce((sum, row) => sum + BigInt(row.received!) - BigInt(row.sent!), 0n);
  expect(String(balance)).toBe((await get(`/extended/v1/address/${bob}/balances`)).stx.balance);
  expect(await download('?from=4&to=4')).toMatchObject([
    { block_height: '4', tx_type: 'contract_call', asset: `${contract}::coin`, sent: '0', received: '20' },
    { block_height: '4', tx_type: 'contract_call', asset: `${contract}::item`, sent: '0', received: '1' },
  ]);
  expect(await download('?from=99')).toEqual([]);
});

test.each([
  'transactions/nobody',
  'balances/nobody',
  `balances/${'S'.repeat(30)}?points=0`,
  'supply?points=501',
  'supply?asset=coin',
  'supply?asset=bad::coin',
  'supply?from=yesterday',
  'supply?from=2026-13-45',
  'supply?from=5&to=4',
  'mempool?from=abc',
  'mempool?from=2026-01-02&to=2026-01-01',
])('%s is a bad request that says what to mend', async path => {
  const { status, body } = await ask(`/extended/v1/history/${path}`);
  expect(status).toBe(400);
  expect(body.error ?? body.message).toMatch(/\w/);
});

test('the mempool over time has the numbers after the last event of each minute', async t => {
  const waiting = [500, 501, 502].map(from => transfer({ from, nonce: 0, fee: 200 }));
  const { get } = await startMempoolApi(t, [arrivals(waiting[0]!, waiting[1]!), arrivals(waiting[2]!)]);
  const { results } = await get('/extended/v1/history/mempool');
  expect(results.at(-1)).toMatchObject({ total: 3, types: { token_transfer: 3, contract_call: 0 } });
  const times = results.map((each: { time: number }) => each.time);
  expect(times).toEqual([...times].sort());
  expect(times.every((time: number) => time % 60 === 59)).toBe(true);
});
