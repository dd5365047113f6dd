import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { expect, test } from 'vitest';
import { messagesOf, mineLine, testChain } from '../../support/chain.ts';
import { walk } from '../../support/cursor-walk.ts';
import { type RawMove, rawBalances, rawMoves, rawRewards } from '../../support/raw-facts.ts';
import { addressOf, serveChain, serveChainForFile } from '../../support/served-chain.ts';
import { foldAll, until } from '../../support/service.ts';

type Get = (typeof served)['get'];
type Transfer = {
  sender: string | null;
  recipient: string | null;
  amount: string;
  transaction: { tx_id: string; event_index: number };
  block: { height: number; time: number; time_iso: string };
};

const v3 = '/extended/v3';
const nobody = addressOf(99);
const nothing = { next: null, previous: null, current: null };

/** A chain with a branch that loses: what counts is the other one. */
function makeChain() {
  const chain = testChain({ accounts: 5 });
  const trunk = mineLine(chain, chain.genesis, 8, { transactions: 8 });
  const lost = mineLine(chain, trunk.at(-1)!, 2, { transactions: 9 });
  const won = mineLine(chain, trunk.at(-1)!, 4, { transactions: 7, tenure: 'new' });
  return { posted: [chain.genesis, ...trunk, ...lost, ...won], canonical: [chain.genesis, ...trunk, ...won] };
}

const { posted, canonical } = makeChain();
const served = serveChainForFile(() => posted);
const get: Get = url => served.get(url);

const key = ({ tx_id, event_index }: { tx_id: string; event_index: number }) => `${tx_id}:${event_index}`;
const shown = (row: Transfer) => [key(row.transaction), row.sender, row.recipient, row.amount, row.block.height];
const expected = (move: RawMove) => [key(move), move.sender, move.recipient, move.amount, move.height];
const byKey = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1);

/** A list page by page in several ways, with nothing twice and nothing left out. */
async function walkAll<Row>(get: Get, url: string, limits = [1, 7, 50]): Promise<Row[]> {
  const [rows = [], ...others] = await Promise.all(limits.map(limit => walk<Row>(get, url, limit)));
  for (const other of others) expect(other).toEqual(rows);
  expect((await get(url)).total).toBe(rows.length);
  return rows;
}

async function expectTransfers(get: Get, url: string, moves: RawMove[]) {
  const rows = await walkAll<Transfer>(get, url);
  expect(rows.map(shown).sort(byKey)).toEqual(moves.map(expected).sort(byKey));
  const heights = rows.map(row => row.block.height);
  expect(heights).toEqual([...heights].sort((a, b) => b - a));
  for (const { block } of rows) expect(block.time_iso).toBe(new Date(block.time * 1000).toISOString());
}

const accounts = [0, 1, 2, 3].map(addressOf);
const moves = rawMoves(canonical);

test.each(accounts)('transfers of %s are the events of the canonical blocks', async who => {
  const stx = moves.filter(move => move.asset === 'stx');
  await expectTransfers(
    get,
    `${v3}/principals/${who}/transfers/stx/inbound`,
    stx.filter(m => m.recipient === who),
  );
  await expectTransfers(
    get,
    `${v3}/principals/${who}/transfers/stx/outbound`,
    stx.filter(m => m.sender === who),
  );
  const tokens = new Set(moves.filter(m => m.asset !== 'stx' && m.value === null).map(m => m.asset));
  for (const token of tokens) {
    const own = moves.filter(m => m.asset === token && (m.sender === who || m.recipient === who));
    await expectTransfers(get, `${v3}/principals/${who}/transfers/ft/${token}`, own);
  }
});

test('memos are those of the transaction, of the event, or what the bulk contract printed', async () => {
  const rows = await walk<Transfer & { memo: { hex: string; repr: string } | null }>(
    get,
    `${v3}/principals/${accounts[0]}/transfers/stx/inbound`,
    50,
  );
  for (const { memo, transaction } of rows) {
    const { token_transfer: native } = await get(`${v3}/transactions/${transaction.tx_id}`);
    if (native) expect(memo).toEqual(native.memo);
  }
});

const nft = moves.find(move => move.value !== null)!;

test('the history of an NFT is every event about it', async () => {
  const own = moves.filter(m => m.asset === nft.asset && m.value === nft.value);
  const url = `${v3}/tokens/nft/${nft.asset}/${nft.value}/history`;
  const rows = await walkAll<Omit<Transfer, 'amount'>>(get, url, [1, 50]);
  expect(rows.map(row => [key(row.transaction), row.sender, row.recipient])).toEqual(
    own.map(move => [key(move), move.sender, move.recipient]).reverse(),
  );
  const number = BigInt(nft.value!.replace(/^0x01/, '0x'));
  if (nft.value!.startsWith('0x01')) {
    expect((await get(`${v3}/tokens/nft/${nft.asset}/${number}/history`)).total).toBe(own.length);
  }
  expect(await get(`${v3}/tokens/nft/${nft.asset}/340282366920938463463374607431768211455/history`)).toEqual({
    total: 0,
    limit: 50,
    cursor: nothing,
    results: [],
  });
});

test('holders of a token are those with more than nothing, by balance and name, and add up to its supply', async () => {
  for (const token of new Set(moves.filter(m => m.asset !== 'stx' && m.value === null).map(m => m.asset))) {
    const balances = [...rawBalances(moves, token)]
      .map(([principal, balance]) => ({ principal, balance: String(balance) }))
      .sort((a, b) => Number(BigInt(b.balance) - BigInt(a.balance)) || (a.principal < b.principal ? -1 : 1));
    expect(await walkAll(get, `${v3}/tokens/ft/${token}/holders`, [1, 2, 100])).toEqual(balances);
    const supply = balances.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
    expect(await get(`${v3}/tokens/ft/${token}/supply`)).toEqual({ asset_identifier: token, total: String(supply) });
  }
  const unknown = `${nobody}.token::coin`;
  expect(await get(`${v3}/tokens/ft/${unknown}/supply`)).toEqual({ asset_identifier: unknown, total: '0' });
  expect(await get(`${v3}/tokens/ft/${unknown}/holders`)).toEqual({
    total: 0,
    limit: 100,
    cursor: nothing,
    results: [],
  });
});

test('holders of STX are those of the first version that have some', async () => {
  const rows = await walkAll<{ principal: string; balance: string }>(get, `${v3}/tokens/stx/holders`, [1, 3, 100]);
  for (const { principal, balance } of rows) {
    expect((await get(`/extended/v1/address/${principal}/stx`)).balance).toBe(balance);
  }
  const order = [...rows].sort(
    (a, b) => Number(BigInt(b.balance) - BigInt(a.balance)) || (a.principal < b.principal ? -1 : 1),
  );
  expect(rows).toEqual(order);
  expect(rows.every(({ balance }) => BigInt(balance) > 0n)).toBe(true);
});

test('rewards of miners are those that matured in the canonical blocks', async () => {
  const rewards = rawRewards(canonical);
  for (const recipient of new Set(rewards.map(reward => reward.recipient))) {
    const own = rewards.filter(reward => reward.recipient === recipient);
    const sum = (pick: (reward: (typeof own)[number]) => bigint) => String(own.reduce((n, r) => n + pick(r), 0n));
    expect(await get(`${v3}/principals/${recipient}/mining`)).toEqual({
      rewards: {
        count: own.length,
        coinbase: sum(r => r.coinbase),
        fees: sum(r => r.fees),
        total: sum(r => r.coinbase + r.fees),
      },
    });
    const rows = await walkAll<{ id: string; total: string; block: { index_hash: string; height: number } }>(
      get,
      `${v3}/principals/${recipient}/mining/rewards`,
      [1, 3, 50],
    );
    expect(rows.map(row => [row.block.height, row.id, row.total])).toEqual(
      own
        .map(r => [
          r.height,
          `${canonical.find(b => b.height === r.height)!.indexHash}:${r.position}`,
          String(r.coinbase + r.fees),
        ])
        .reverse(),
    );
  }
  expect((await get(`${v3}/principals/${nobody}/mining`)).rewards).toEqual({
    count: 0,
    coinbase: '0',
    fees: '0',
    total: '0',
  });
});

test('a batch returns confirmed transactions, newest first', async () => {
  const { results } = await get(`${v3}/transactions?limit=20`);
  const ids = results.map((row: { tx_id: string }) => row.tx_id) as string[];
  const unknown = `0x${'ab'.repeat(32)}`;
  const asked = [...ids.slice(0, 5)].reverse();
  const { results: batch } = await get(`${v3}/transactions/batch?tx_id=${[unknown, ...asked]}`);
  expect(batch.map((row: { tx_id: string }) => row.tx_id)).toEqual(ids.slice(0, 5));
  expect(batch[0].block.time_iso).toBe(new Date(batch[0].block.time * 1000).toISOString());
  expect(await get(`${v3}/transactions/batch?tx_id=${asked.join('&tx_id=')}`)).toEqual({ results: batch });
});

test('older routes have times as text if a client requests the newer shapes', async () => {
  const url = `${v3}/transactions?limit=1`;
  const asked = async (version?: string) => {
    const response = await served.app.inject({ url, ...(version && { headers: { 'x-api-version': version } }) });
    const [row] = response.json().results;
    return { times: [row.block.time_iso, row.bitcoin_block.time_iso], etag: response.headers.etag };
  };
  const usual = await asked();
  const newer = await asked('9.3');
  expect(usual.times).toEqual([undefined, undefined]);
  expect(newer.times).toEqual([expect.stringMatching(/^\d{4}-.*Z$/), expect.stringMatching(/^\d{4}-.*Z$/)]);
  expect(newer.etag).not.toBe(usual.etag);
  expect(await asked()).toEqual(usual);
  expect(await asked('9.0')).toEqual(usual);
});

test('a contract is returned with its position, and its source on request', async () => {
  const deploy = (await get('/extended/v1/tx?limit=50&type=smart_contract')).results.find(
    (tx: { tx_status: string }) => tx.tx_status === 'success',
  );
  const { contract_id, source_code } = deploy.smart_contract;
  const contract = await get(`${v3}/smart-contracts/${contract_id}`);
  expect(contract).toMatchObject({ contract_id, tx_id: deploy.tx_id, block: { height: deploy.block_height } });
  expect(contract).not.toHaveProperty('source_code');
  expect(await get(`${v3}/smart-contracts/${contract_id}?include=source_code`)).toEqual({ ...contract, source_code });
  expect((await served.ask(`${v3}/smart-contracts/${nobody}.none`)).status).toBe(404);
});

test('a search finds things by what they begin with', async () => {
  const search = async (term: string, more = '') =>
    (await get(`${v3}/search?q=${encodeURIComponent(term)}${more}`)).results as {
      type: string;
      result: Record<string, unknown>;
    }[];
  const { results } = await get(`${v3}/transactions?limit=1`);
  const [tx] = results;
  expect((await search(tx.tx_id.slice(2, 13)))[0]).toMatchObject({ type: 'transaction', result: { tx_id: tx.tx_id } });
  expect((await search(tx.tx_id))[0]).toMatchObject({ type: 'transaction' });
  expect((await search(tx.block.hash.slice(0, 20)))[0]).toMatchObject({
    type: 'block',
    result: { hash: tx.block.hash },
  });
  expect((await search(tx.block.index_hash, '&type=block'))[0]).toMatchObject({ result: { height: tx.block.height } });
  expect(await search(tx.tx_id, '&type=block,token')).toEqual([]);
  expect((await search('3'))[0]).toMatchObject({ type: 'block', result: { height: 3 } });
  for (const who of accounts) {
    expect((await search(who))[0]).toEqual({ type: 'address', result: { principal: who } });
    expect(await search(who.slice(0, 9).toLowerCase())).toContainEqual({ type: 'address', result: { principal: who } });
  }
  expect(await search(nobody)).toEqual([]);
  const contract = nft.asset.split('::')[0]!;
  expect(await search(contract, '&type=smart_contract')).toMatchObject([{ result: { contract_id: contract } }]);
  expect(await search(nft.asset)).toContainEqual({
    type: 'token',
    result: {
      asset_identifier: nft.asset,
      asset_type: 'nft',
      contract_id: contract,
      asset_name: nft.asset.split('::')[1],
    },
  });
  const named = await search(contract.split('.')[1]!.toUpperCase());
  expect(named.map(hit => hit.result.contract_id)).toContain(contract);
});

test('errors name the wrong parameter', async () => {
  const transfers = `${v3}/principals/${accounts[0]}/transfers/stx/inbound`;
  const id = `0x${'ab'.repeat(32)}`;
  const refusals: Record<string, string> = {
    [`${transfers}?cursor=1:2:3`]: 'querystring/cursor',
    [`${transfers}?cursor=2147483648:0:0:0`]: 'Cursor value out of range',
    [`${transfers}?cursor=1:0:32768:0`]: 'Cursor value out of range',
    [`${transfers}?limit=51`]: 'querystring/limit',
    [`${v3}/principals/${accounts[0]}/mining/rewards?cursor=1:32768`]: 'Cursor value out of range',
    [`${v3}/tokens/stx/holders?cursor=5`]: 'querystring/cursor',
    [`${v3}/tokens/stx/holders?limit=201`]: 'querystring/limit',
    [`${v3}/tokens/nft/${nft.asset}/340282366920938463463374607431768211456/history`]: 'params/value',
    [`${v3}/tokens/nft/${nft.asset}/0x0/history`]: 'params/value',
    [`${v3}/transactions/batch`]: 'tx_id',
    [`${v3}/transactions/batch?tx_id=${id},${id}`]: 'querystring/tx_id',
    [`${v3}/transactions/batch?tx_id=${id}&tx_id=${id.slice(2)}`]: 'querystring/tx_id',
    [`${v3}/transactions/batch?tx_id=0x12`]: 'querystring/tx_id',
    [`${v3}/transactions/batch?tx_id=${Array.from({ length: 21 }, (_, i) => `0x${String(i).padStart(64, '0')}`)}`]:
      'querystring/tx_id',
    [`${v3}/search`]: "'q'",
    [`${v3}/search?q=%20`]: 'querystring/q',
    [`${v3}/search?q=abcdefgh&type=nonsense`]: 'querystring/type',
    [`${v3}/smart-contracts/${nobody}.none?include=abi`]: 'querystring/include',
  };
  for (const [url, message] of Object.entries(refusals)) {
    const { status, body } = await served.ask(url);
    expect([url, status, body.message]).toEqual([url, 400, expect.stringContaining(message)]);
  }
});

test('a walk goes on without gap or repeat while the chain grows and forks', async t => {
  const chain = testChain({ accounts: 3 });
  const pay = (count: number) => ({
    tenure: 'new' as const,
    transactions: Array.from({ length: count }, (_, i) => ({
      kind: 'transfer' as const,
      from: 0,
      to: addressOf(1),
      amount: BigInt(i + 1),
    })),
  });
  const line: BuiltBlock[] = [chain.genesis];
  for (let i = 0; i < 4; i++) line.push(chain.mine(line.at(-1), pay(3)));
  const lost = chain.mine(line.at(-1), pay(4));
  const won = chain.mine(line.at(-1), pay(2));
  const top = chain.mine(won, pay(1));
  const api = await serveChain(t, [...line, lost]);
  const url = `${v3}/principals/${addressOf(1)}/transfers/stx/inbound`;
  const first = await api.get(`${url}?limit=5`);
  await foldAll(api.database, [won, top].flatMap(messagesOf));
  await until(async () => api.tip.current?.height === top.height);
  const rest: Transfer[] = [];
  for (let cursor = first.cursor.next; cursor !== null; ) {
    const page = await api.get(`${url}?limit=2&cursor=${cursor}`);
    rest.push(...page.results);
    cursor = page.cursor.next;
  }
  const own = rawMoves([...line]).filter(m => m.asset === 'stx' && m.recipient === addressOf(1));
  const seen = [...first.results, ...rest].filter((row: Transfer) => row.block.height < lost.height);
  expect(seen.map(shown).sort(byKey)).toEqual(own.map(expected).sort(byKey));
  // The first row of the page was taken back: its cursor goes on with what is below.
  const orphaned = await api.get(`${url}?limit=3&cursor=${first.cursor.current}`);
  expect(orphaned.results.every((row: Transfer) => row.block.height <= lost.height)).toBe(true);
  expect(orphaned.results).toHaveLength(3);
});
