import { expect, test } from 'vitest';
import { messagesOf, mineLine, testChain } from '../../support/chain.ts';
import { walk } from '../../support/cursor-walk.ts';
import { addressOf, serveChain, serveChainForFile } from '../../support/served-chain.ts';
import { foldAll, until } from '../../support/service.ts';

type Moved = {
  transaction: { tx_id: string; block: { height: number } };
  involvement: string;
  balance_changes: { stx: { sent: string; received: string; net: string } };
  affected_balances: { stx: boolean; ft: boolean; nft: boolean };
};
type Change = {
  tx_id?: string;
  asset: { type: string; identifier?: string };
  balance_change: { sent: string; received: string; net: string };
};
type Transfer = { sender: string; recipient: string; amount: string; asset_identifier: string };
type Old = {
  tx: { tx_id: string; block_height: number; sender_address: string; sponsor_address?: string; fee_rate: string };
  stx_sent: string;
  stx_received: string;
  stx_transfers: Transfer[];
  ft_transfers: Transfer[];
  nft_transfers: Transfer[];
};

const v3 = '/extended/v3/principals';
const nobody = addressOf(99);
const nothing = { next: null, previous: null, current: null };

function makeBlocks() {
  const chain = testChain({ accounts: 4 });
  const line = mineLine(chain, chain.genesis, 14, { transactions: 7, burnOperations: 1 });
  const sponsored = chain.mine(line.at(-1), {
    transactions: [
      { kind: 'transfer', from: 1, to: addressOf(0), amount: 7n, sponsor: 2, fee: 9n },
      { kind: 'transfer', from: 1, to: addressOf(1), amount: 5n, fee: 2n },
    ],
  });
  return { all: [chain.genesis, ...line, sponsored], sponsored };
}

const blocks = makeBlocks();
const { get, ask } = serveChainForFile(() => blocks.all);

/** The same history as the first version tells it. */
async function listV1(principal: string): Promise<Old[]> {
  const rows: Old[] = [];
  for (;;) {
    const url = `/extended/v1/address/${principal}/transactions_with_transfers?limit=50&offset=${rows.length}`;
    const { results } = await get(url);
    if (results.length === 0) return rows;
    rows.push(...results);
  }
}

const accounts = [0, 1, 2, 3].map(addressOf);
const genesisIds = new Set(
  (blocks.all[0]!.body as { transactions: { txid: string }[] }).transactions.map(tx => tx.txid),
);

test.each(accounts)('the history of %s is that of the first version without block 0', async principal => {
  const old = (await listV1(principal)).filter(row => !genesisIds.has(row.tx.tx_id));
  const known = new Map(old.map(row => [row.tx.tx_id, row]));
  const url = `${v3}/${principal}/transactions`;
  const rows = await walk<Moved>(get, url, 50);
  for (const limit of [1, 6]) expect(await walk<Moved>(get, url, limit)).toEqual(rows);
  expect(rows.map(row => row.transaction.tx_id).sort()).toEqual([...known.keys()].sort());
  expect((await get(url)).total).toBe(rows.length);
  for (const { transaction, involvement, balance_changes, affected_balances } of rows) {
    const old = known.get(transaction.tx_id)!;
    const { sent, received, net } = balance_changes.stx;
    expect([sent, received]).toEqual([old.stx_sent, old.stx_received]);
    expect(BigInt(net)).toBe(BigInt(received) - BigInt(sent));
    const sponsor = old.tx.sponsor_address === principal ? 'sponsor' : 'affected';
    expect(involvement).toBe(old.tx.sender_address === principal ? 'sender' : sponsor);
    const pays = (old.tx.sponsor_address ?? old.tx.sender_address) === principal;
    expect(affected_balances).toEqual({
      stx: old.stx_transfers.length > 0 || pays,
      ft: old.ft_transfers.length > 0,
      nft: old.nft_transfers.length > 0,
    });
  }
});

test.each(accounts)('changes of %s are the sums of what moved', async principal => {
  const rows = await listV1(principal);
  const all = new Map<string, Change[]>();
  for (const { tx, stx_sent, stx_received, ...moves } of rows) {
    const url = `${v3}/${principal}/transactions/${tx.tx_id}/balance-changes`;
    const changes = await walk<Change>(get, url, 1);
    expect((await get(url)).results).toEqual(changes);
    expect((await get(url)).total).toBe(changes.length);
    all.set(tx.tx_id, changes);
    const sum = (list: Transfer[], side: 'sender' | 'recipient', id: string, counted: boolean) =>
      list
        .filter(move => move[side] === principal && move.asset_identifier === id)
        .reduce((total, move) => total + (counted ? 1n : BigInt(move.amount)), 0n);
    const expected = (type: 'ft' | 'nft', list: Transfer[]) =>
      [...new Set(list.map(move => move.asset_identifier))].sort().map(identifier => {
        const sent = sum(list, 'sender', identifier, type === 'nft');
        const received = sum(list, 'recipient', identifier, type === 'nft');
        const balance_change = { sent: String(sent), received: String(received), net: String(received - sent) };
        return { asset: { type, identifier }, balance_change };
      });
    const stx = {
      sent: stx_sent,
      received: stx_received,
      net: String(BigInt(stx_received) - BigInt(stx_sent)),
    };
    const pays = (tx.sponsor_address ?? tx.sender_address) === principal && !genesisIds.has(tx.tx_id);
    const touched = moves.stx_transfers.length > 0 || pays;
    expect(changes).toEqual([
      ...(touched ? [{ asset: { type: 'stx' }, balance_change: stx }] : []),
      ...expected('ft', moves.ft_transfers),
      ...expected('nft', moves.nft_transfers),
    ]);
  }
  const order = await walk<Moved>(get, `${v3}/${principal}/transactions`, 50);
  const newest = order.slice(0, 20).map(row => row.transaction.tx_id);
  const url = `${v3}/${principal}/balance-changes?tx_id=${[...newest].sort().join(',')}`;
  const wanted = newest.flatMap(tx_id => all.get(tx_id)!.map(change => ({ tx_id, ...change })));
  for (const limit of [1, 4, 50]) expect(await walk<Change>(get, url, limit)).toEqual(wanted);
  // The first block shows two blocks, whose transactions share their indexes.
  const oldest = rows.filter(row => row.tx.block_height === 1).map(row => row.tx.tx_id);
  const first = await walk<Change>(get, `${v3}/${principal}/balance-changes?tx_id=${oldest.join('&tx_id=')}`, 1);
  expect(first).toHaveLength(oldest.flatMap(id => all.get(id)!).length);
  expect(new Set(first.map(change => JSON.stringify(change))).size).toBe(first.length);
});

test('the payer of a fee has a balance change and lists the transaction', async () => {
  const [self, gift] = (await get(`/extended/v3/blocks/${blocks.sponsored.height}/transactions`)).results;
  const changeOf = async (account: number, id: string) =>
    (await get(`${v3}/${addressOf(account)}/transactions/${id}/balance-changes`)).results;
  const stx = (sent: string, received: string, net: string) => [
    { asset: { type: 'stx' }, balance_change: { sent, received, net } },
  ];
  expect(await changeOf(0, gift.tx_id)).toEqual(stx('0', '7', '7'));
  expect(await changeOf(1, gift.tx_id)).toEqual(stx('7', '0', '-7'));
  expect(await changeOf(2, gift.tx_id)).toEqual(stx('9', '0', '-9'));
  expect(await changeOf(1, self.tx_id)).toEqual(stx('7', '5', '-2'));
  const [payer] = (await get(`${v3}/${addressOf(2)}/transactions`)).results;
  expect(payer).toMatchObject({
    transaction: { tx_id: gift.tx_id },
    involvement: 'sponsor',
    affected_balances: { stx: true, ft: false, nft: false },
  });
});

test('the previous page has a cursor only if it is complete', async () => {
  const url = `${v3}/${accounts[0]}/balance-changes?tx_id=${await newestIds(accounts[0]!, 15)}&limit=3`;
  const first = await get(url);
  const at = async (cursor: string) => get(`${url}&cursor=${encodeURIComponent(cursor)}`);
  const second = await get(`${url.replace('limit=3', 'limit=2')}`);
  expect((await at(second.cursor.next)).cursor.previous).toBeNull();
  expect((await at(first.cursor.next)).cursor.previous).toBe(first.cursor.current);
  expect((await at('0:0:0:9:nothing')).cursor).toEqual(nothing);
});

const newestIds = async (principal: string, count: number): Promise<string> =>
  (await get(`${v3}/${principal}/transactions?limit=${count}`)).results
    .map((row: Moved) => row.transaction.tx_id)
    .join(',');

test('a principal without activity has nothing', async () => {
  const id = await newestIds(accounts[0]!, 1);
  const empty = { total: 0, limit: 20, cursor: nothing, results: [] };
  expect(await get(`${v3}/${nobody}/transactions`)).toEqual(empty);
  expect(await get(`${v3}/${nobody}.contract/transactions?cursor=5:0:0`)).toEqual(empty);
  expect(await get(`${v3}/${nobody}/mempool/transactions`)).toEqual(empty);
  expect(await get(`${v3}/${nobody}/transactions/${id}/balance-changes`)).toEqual(empty);
  expect(await get(`${v3}/${nobody}/balance-changes?tx_id=${id}`)).toEqual(empty);
  // Only the shape is judged: this checksum is wrong.
  expect(await get(`${v3}/${nobody.slice(0, -1)}0/transactions`)).toEqual(empty);
});

test('errors name the wrong parameter', async () => {
  const unknown = `0x${'ab'.repeat(32)}`;
  expect((await get(`${v3}/${nobody}/transactions/${unknown}/balance-changes`)).total).toBe(0);
  expect((await get(`${v3}/${nobody}/balance-changes?tx_id=${unknown}`)).total).toBe(0);
  const refusals = {
    [`${v3}/nonsense/transactions`]: 'params/principal must match pattern',
    [`${v3}/${nobody}!/transactions`]: 'params/principal must match pattern',
    [`${v3}/${nobody}/transactions/0x12/balance-changes`]: 'params/tx_id must match pattern',
    [`${v3}/${nobody}/transactions/${unknown}/balance-changes?cursor=x`]: 'querystring/cursor must match pattern',
    [`${v3}/${nobody}/balance-changes`]: "querystring must have required property 'tx_id'",
    [`${v3}/${nobody}/balance-changes?tx_id=${Array(21).fill(unknown)}`]:
      'querystring/tx_id must NOT have more than 20',
    [`${v3}/${nobody}/balance-changes?tx_id=${unknown}&tx_id=${unknown},${unknown}`]:
      'querystring/tx_id/1 must match pattern',
    [`${v3}/${nobody}/balance-changes?tx_id=${unknown}&cursor=1:stx`]: 'querystring/cursor must match pattern',
    [`${v3}/${nobody}/mempool/transactions?cursor=1:2`]: 'querystring/cursor must match pattern',
  };
  for (const [url, message] of Object.entries(refusals)) {
    const refused = await ask(url);
    expect([url, refused.status, refused.body.message]).toEqual([url, 400, expect.stringContaining(message)]);
  }
});

test('a cursor that a fork has taken the transaction from goes on below it', async t => {
  const chain = testChain({ accounts: 3 });
  const line = mineLine(chain, chain.genesis, 4, { transactions: 4 });
  const pay = (count: number) => ({
    tenure: 'new' as const,
    transactions: Array.from({ length: count }, (_, i) => ({
      kind: 'transfer' as const,
      from: 0,
      to: addressOf(1),
      amount: BigInt(i + 1),
    })),
  });
  const lost = chain.mine(line.at(-1), pay(6));
  const won = chain.mine(line.at(-1), pay(1));
  const top = chain.mine(won, pay(1));
  const api = await serveChain(t, [chain.genesis, ...line, lost]);
  const url = `${v3}/${addressOf(0)}/transactions`;
  const before = await api.get(`${url}?limit=3`);
  expect(before.results[0].transaction.block.height).toBe(lost.height);
  await foldAll(api.database, [won, top].flatMap(messagesOf));
  await until(async () => api.tip.current?.height === top.height);
  for (const list of [url, '/extended/v3/transactions']) {
    const idOf = (row: Moved & { tx_id?: string }) => row.tx_id ?? row.transaction.tx_id;
    const all = (await walk<Moved>(api.get, list, 50)).filter(
      row => ((row as unknown as Moved['transaction']).block ?? row.transaction.block).height <= lost.height,
    );
    const page = await api.get(`${list}?limit=3&cursor=${before.cursor.current}`);
    expect(page.results.map(idOf)).toEqual(all.slice(0, 3).map(idOf));
  }
});
