import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { expect, test } from 'vitest';
import { mineLine, testChain } from '../../support/chain.ts';
import { walk } from '../../support/cursor-walk.ts';
import { addressOf, serveChain, serveChainForFile } from '../../support/served-chain.ts';

type Summary = { tx_id: string; type: string; block: { height: number; tx_index: number } };
type Mined = {
  tx_id: string;
  tx_type: string;
  block_height: number;
  event_count: number;
  events: Record<string, unknown>[];
};

const idsOf = (rows: { tx_id: string }[]) => rows.map(row => row.tx_id);
const v3 = '/extended/v3/transactions';

/** Twelve blocks of random traffic, a deploy, a sponsored transfer and calls; beside the top a branch that lost. */
function makeBlocks() {
  const chain = testChain({ accounts: 4 });
  const line = mineLine(chain, chain.genesis, 12, { transactions: 6, burnOperations: 1 });
  const alice = addressOf(0);
  const lost = chain.mine(line.at(-1), { tenure: 'new', transactions: 5 });
  const won = chain.mine(line.at(-1), {
    tenure: 'new',
    transactions: [
      { kind: 'deploy', from: 0, name: 'shop' },
      { kind: 'transfer', from: 1, to: alice, amount: 7n, memo: 'thanks', sponsor: 2, fee: 9n },
      { kind: 'call', from: 1, contract: `${alice}.shop`, call: { name: 'mint', amount: 50n, to: addressOf(1) } },
      { kind: 'call', from: 1, contract: `${alice}.shop`, call: { name: 'transfer', amount: 20n, to: alice } },
      { kind: 'call', from: 1, contract: `${alice}.shop`, call: { name: 'mint-item', item: 3, to: alice } },
      { kind: 'call', from: 1, contract: `${alice}.shop`, call: { name: 'deposit', amount: 5n }, fails: 'response' },
    ],
  });
  const top = chain.mine(won, { transactions: [] });
  return { all: [chain.genesis, ...line, lost, won, top], lost, won, top };
}

const blocks = makeBlocks();
const served = serveChainForFile(() => blocks.all);
const { get, ask } = served;

/** All transactions as the first version lists them, in full. */
async function listV1(total: number): Promise<Mined[]> {
  const rows: Mined[] = [];
  for (let offset = 0; offset < total; offset += 50) {
    rows.push(...(await get(`/extended/v1/tx?limit=50&offset=${offset}`)).results);
  }
  return rows;
}

test('pages join without gaps or repeats, in the order of the first version', async () => {
  const { total } = await get(`${v3}?limit=1`);
  const known = await listV1(total);
  expect(known).toHaveLength(total);
  const told = blocks.all.filter(block => block !== blocks.lost).flatMap(block => block.transactions);
  expect(idsOf(known).toSorted()).toEqual(told.map(({ txId }) => txId).toSorted());
  for (const limit of [1, 7, 50]) {
    const rows = await walk<Summary>(get, v3, limit);
    expect(new Set(idsOf(rows)).size).toBe(total);
    expect(idsOf(rows)).toEqual(idsOf(known));
  }
});

test('each type says what it does, in short and in full, as the first version does', async () => {
  const rows = await walk<Summary>(get, v3, 50);
  const types = new Set<string>();
  for (const row of rows) {
    const old = await get(`/extended/v1/tx/${row.tx_id}`);
    types.add(row.type);
    const full = await get(`${v3}/${row.tx_id}?include=function_args,source_code,post_conditions,result`);
    expect(full).toMatchObject(row);
    expect(row).toMatchObject({
      type: old.tx_type,
      fee_rate: old.fee_rate,
      sender: { address: old.sender_address, nonce: old.nonce },
      sponsor: old.sponsored ? { address: old.sponsor_address, nonce: old.sponsor_nonce } : null,
      block: { height: old.block_height, hash: old.block_hash, time: old.block_time, tx_index: old.tx_index },
      bitcoin_block: { height: old.burn_block_height, time: old.burn_block_time },
      status: old.tx_status,
    });
    expect(full).toMatchObject({
      parent_block: { hash: old.parent_block_hash },
      event_count: old.event_count,
      execution_cost: { runtime: old.execution_cost_runtime, write_length: old.execution_cost_write_length },
      vm_error: old.vm_error,
      post_conditions: old.post_conditions,
      result: old.tx_result,
    });
    if (full.type === 'contract_call') {
      expect(full.contract_call).toEqual({
        contract_id: old.contract_call.contract_id,
        function_name: old.contract_call.function_name,
        function_args: old.contract_call.function_args.map(({ hex, repr }: { hex: string; repr: string }) => ({
          hex,
          repr,
        })),
      });
    }
    if (full.type === 'smart_contract') expect(full.smart_contract).toEqual(old.smart_contract);
    if (full.type === 'tenure_change') expect(full.tenure_change).toEqual(old.tenure_change_payload);
    if (full.type === 'coinbase') expect(full.coinbase.payload).toBe(old.coinbase_payload.data);
  }
  expect([...types].sort()).toEqual(['coinbase', 'contract_call', 'smart_contract', 'tenure_change', 'token_transfer']);
});

test('large fields are returned only on request', async () => {
  const rows = await walk<Summary>(get, `/extended/v3/blocks/${blocks.won.hash}/transactions`, 50);
  const deploy = rows.find(row => row.type === 'smart_contract')!;
  const call = rows.find(row => row.type === 'contract_call')!;
  const plain = await get(`${v3}/${deploy.tx_id}`);
  expect(plain.smart_contract).not.toHaveProperty('source_code');
  expect(plain).not.toHaveProperty('result');
  expect(plain).not.toHaveProperty('post_conditions');
  expect((await get(`${v3}/${call.tx_id}?include=result`)).contract_call).not.toHaveProperty('function_args');
  const asked = await get(`${v3}/${call.tx_id.slice(2)}?include=function_args&include=result`);
  expect(asked.contract_call.function_args.length).toBeGreaterThan(0);
  expect(decodeClarity(Buffer.from(asked.result.hex.slice(2), 'hex')).type).toMatch(/^(ok|err|response)/);
  for (const include of ['nonsense', 'result,result', '']) {
    const { status, body } = await ask(`${v3}/${call.tx_id}?include=${include}`);
    expect([include, status, body.code]).toEqual([include, 400, 'FST_ERR_VALIDATION']);
    expect(body.message).toContain('querystring/include');
  }
});

test('a memo is shown as bytes and as text', async () => {
  const sponsored = (await walk<Summary>(get, `/extended/v3/blocks/${blocks.won.height}/transactions`, 50)).find(
    row => row.type === 'token_transfer',
  );
  const hex = `0x${Buffer.from('thanks').toString('hex').padEnd(68, '0')}`;
  expect(sponsored).toMatchObject({
    sponsor: { address: addressOf(2) },
    fee_rate: '9',
    token_transfer: { recipient: addressOf(0), amount: '7', memo: { hex, repr: 'thanks' } },
  });
});

test('the transactions of a block are those of the second version, the last first', async () => {
  for (const block of blocks.all) {
    if (block === blocks.lost || block.transactions.length === 0 || block.height === 0) continue;
    const old = await get(`/extended/v2/blocks/${block.height}/transactions?limit=50`);
    for (const limit of [1, 3, 50]) {
      const rows = await walk<Summary>(get, `/extended/v3/blocks/${block.indexHash}/transactions`, limit);
      // In the first block the order of equal indexes is its own.
      const order = (ids: string[]) => (block.height === 1 ? ids.sort() : ids);
      expect(order(idsOf(rows))).toEqual(order(idsOf(old.results).reverse()));
    }
  }
  expect(await get('/extended/v3/blocks/latest/transactions')).toMatchObject({ total: 0, results: [] });
  for (const unknown of [blocks.lost.hash, '99999', `0x${'ab'.repeat(32)}`]) {
    const { status, body } = await ask(`/extended/v3/blocks/${unknown}/transactions`);
    expect([status, body.message]).toEqual([404, 'Block not found']);
  }
});

test('a cursor is a position: it is valid after its transaction is gone', async () => {
  const all = await walk<Summary>(get, v3, 50);
  const below = (height: number, index = 1e9) =>
    idsOf(all.filter(row => row.block.height < height || (row.block.height === height && row.block.tx_index <= index)));
  const at = async (cursor: string) => idsOf((await get(`${v3}?limit=10&cursor=${cursor}`)).results);
  const { height } = blocks.won;
  // The top of a block, which no transaction has as its own position.
  expect(await at(`${height}:0:0`)).toEqual(below(height).slice(0, 10));
  expect(await at(`${height}:2147483647:2`)).toEqual(below(height, 2).slice(0, 10));
  // The branch that lost had more transactions; beyond the chain and beyond every number is the end.
  expect(await at(`${height}:2147483647:400`)).toEqual(below(height).slice(0, 10));
  expect(await at(`${height}:5:1`)).toEqual(below(height - 1).slice(0, 10));
  expect(await at('999999:0:0')).toEqual(idsOf(all).slice(0, 10));
  expect(await at(`${'9'.repeat(30)}:${'9'.repeat(30)}:${'9'.repeat(30)}`)).toEqual(idsOf(all).slice(0, 10));
  const nothing = { next: null, previous: null, current: null };
  expect(await get(`${v3}?cursor=0:0:0`)).toEqual({ total: 0, limit: 20, cursor: nothing, results: [] });
  const url = `/extended/v3/blocks/${height}/transactions`;
  const whole = await get(url);
  expect((await get(`${url}?cursor=${height + 1}:0:0`)).results).toEqual(whole.results);
  expect(await get(`${url}?cursor=${height - 1}:0:0`)).toEqual({ ...whole, cursor: nothing, results: [] });
  for (const wrong of ['1', '1:2', 'a:b:c', '1:2:3:4', '-1:0:0']) {
    const { status, body } = await ask(`${v3}?cursor=${wrong}`);
    expect([status, body.message.startsWith('querystring/cursor')]).toEqual([400, true]);
  }
});

test('the page before a cursor in the middle of one is cut at the top', async () => {
  const all = await get(`${v3}?limit=10`);
  const second = await get(`${v3}?limit=1&cursor=${all.cursor.current}`);
  const page = await get(`${v3}?limit=5&cursor=${second.cursor.next}`);
  expect(idsOf(page.results)).toEqual(idsOf(all.results).slice(1, 6));
  expect(page.cursor.previous).toBe(all.cursor.current);
});

test('events are those of the first version in other words', async () => {
  const names: Record<string, string> = {
    smart_contract_log: 'contract_log',
    stx_lock: 'stx_lock',
    stx_asset: 'stx_asset',
    fungible_token_asset: 'ft_asset',
    non_fungible_token_asset: 'nft_asset',
  };
  const seen = new Set<string>();
  for (const { tx_id } of await walk<Summary>(get, v3, 50)) {
    const old: Mined = await get(`/extended/v1/tx/${tx_id}?event_limit=100`);
    const url = `${v3}/${tx_id}/events`;
    const all = await get(`${url}?limit=100`);
    expect(all.total).toBe(old.event_count);
    expect(await walk(get, url, 1)).toEqual(all.results);
    for (const [i, event] of all.results.entries()) {
      const before = old.events[i] as { event_index: number; event_type: string; asset?: Record<string, string> };
      expect([event.event_index, event.type]).toEqual([before.event_index, names[before.event_type]]);
      seen.add(event.type);
      const { asset } = before;
      if (asset) {
        const own = event[event.type];
        expect([own.type, own.sender ?? '', own.recipient ?? '']).toEqual([
          asset.asset_event_type,
          asset.sender,
          asset.recipient,
        ]);
        expect([own.amount, own.value, own.asset_identifier]).toEqual([asset.amount, asset.value, asset.asset_id]);
        expect(own.memo?.hex).toBe(asset.memo);
      }
    }
  }
  expect([...seen].sort()).toEqual(['contract_log', 'ft_asset', 'nft_asset', 'stx_asset', 'stx_lock']);
});

test('cursors of events are indexes', async () => {
  const genesis = (await walk<Summary & { event_count: number }>(get, v3, 50)).at(-1)!;
  const rows = await walk<Summary>(get, '/extended/v3/blocks/1/transactions', 50);
  const details = await Promise.all(rows.map(row => get(`${v3}/${row.tx_id}`)));
  const { tx_id } = details.find(row => row.event_count >= 4);
  expect(rows.map(row => row.tx_id)).toContain(genesis.tx_id);
  const url = `${v3}/${tx_id}/events`;
  expect((await get(`${url}?limit=2&cursor=1`)).cursor).toEqual({ next: '3', previous: '0', current: '1' });
  expect((await get(`${url}?limit=2&cursor=3`)).cursor.previous).toBe('1');
  const { total } = await get(url);
  const nothing = { next: null, previous: null, current: null };
  for (const beyond of [total, '9'.repeat(40)]) {
    expect(await get(`${url}?cursor=${beyond}`)).toEqual({ total, limit: 20, cursor: nothing, results: [] });
  }
});

test('transactions that are not in the chain are not found', async () => {
  const unknown = `0x${'ab'.repeat(32)}`;
  const orphan = blocks.lost.transactions[0]!.txId;
  for (const id of [unknown, orphan]) {
    const events = await ask(`${v3}/${id}/events`);
    expect([events.status, events.body.message]).toEqual([400, 'Transaction not found']);
  }
  // What a fork left behind waits again.
  expect(await get(`${v3}/${orphan}`)).toMatchObject({ tx_id: orphan, status: 'pending' });
  const { status, body } = await ask(`${v3}/${unknown}`);
  expect([status, body]).toEqual([404, { statusCode: 404, error: 'Not Found', message: 'Transaction not found' }]);
  for (const url of [v3, `/extended/v3/blocks/1/transactions`, '/extended/v3/mempool/transactions']) {
    for (const limit of [0, 51]) {
      const refused = await ask(`${url}?limit=${limit}`);
      expect([refused.status, refused.body.message]).toEqual([
        400,
        expect.stringContaining('querystring/limit must be'),
      ]);
    }
  }
});

test('a current response is not sent again', async () => {
  const { headers } = await served.app.inject(v3);
  expect(headers['cache-control']).toBe('public, no-cache, must-revalidate');
  const again = await served.app.inject({ url: v3, headers: { 'if-none-match': String(headers.etag) } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('microblock transactions are listed below the anchored ones, unconfirmed ones are not listed', async t => {
  const chain = testChain({ release: '2.4', accounts: 3 });
  const line = mineLine(chain, chain.genesis, 3, { transactions: 3 });
  const parent = line.at(-1)!;
  for (let i = 0; i < 3; i++) chain.microblock(parent, 3);
  const child = chain.mine(parent, { transactions: 4 });
  const { get } = await serveChain(t, [chain.genesis, ...line, child]);
  const { total } = await get(`${v3}?limit=1`);
  const old = (await get('/extended/v1/tx?limit=50')).results as Mined[];
  for (const limit of [1, 2, 3, 50]) expect(idsOf(await walk<Summary>(get, v3, limit))).toEqual(idsOf(old));
  expect(old).toHaveLength(total);
});
