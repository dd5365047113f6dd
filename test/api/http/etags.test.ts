import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';
import { messagesOf, mineLine, testChain } from '../../support/chain.ts';
import { transfer } from '../../support/mempool.ts';
import { addressOf } from '../../support/served-chain.ts';
import { append, folded, startFold, until } from '../../support/service.ts';

type Ending = Parameters<typeof startApi>[0];

/** The API with a fold that goes on: `add` folds blocks and waits until the API knows of them. */
async function startLive(t: Ending, blocks: readonly BuiltBlock[]) {
  const api = await startApi(t);
  const fold = startFold(api.database);
  t.onTestFinished(() => fold.stop());
  const send = async (messages: Parameters<typeof append>[1]) => {
    const { journal_seq } = await folded(api.database.sql, await append(api.database, messages));
    await until(async () => (api.tip.current?.seq ?? -1) >= Number(journal_seq));
  };
  const add = async (more: readonly BuiltBlock[]) => {
    await send(more.flatMap(messagesOf));
    const tip = more.at(-1)!.indexHash.replace(/^0x/, '');
    await until(async () => api.tip.current?.indexHash.toString('hex') === tip);
  };
  await add(blocks);
  const etagOf = async (url: string) => {
    const { statusCode, headers } = await api.app.inject(url);
    expect([url, statusCode]).toEqual([url, 200]);
    return String(headers.etag);
  };
  const ask = async (url: string, etag: string) =>
    (await api.app.inject({ url, headers: { 'if-none-match': etag } })).statusCode;
  return { ...api, send, add, etagOf, ask };
}

const quiet = { transactions: [] };
const [alice, bob] = [addressOf(0), addressOf(1)];

/** Every URL about one transaction and its block that only a fork can change. */
const urlsOf = (block: BuiltBlock, id: string) => [
  `/extended/v1/tx/${id}`,
  `/extended/v1/tx/${id}/raw`,
  `/extended/v1/address/${alice}/${id}/with_transfers`,
  `/extended/v2/addresses/${alice}/transactions/${id}/events`,
  `/extended/v2/blocks/${block.height}`,
  `/extended/v2/blocks/0x${block.indexHash.replace(/^0x/, '')}`,
  `/extended/v2/blocks/${block.height}/transactions`,
  `/extended/v2/blocks/${block.height}/signer-signatures`,
  `/extended/v3/blocks/${block.height}/transactions`,
  `/extended/v3/transactions/${id}`,
  `/extended/v3/transactions/${id}/events`,
  `/extended/v3/principals/${alice}/transactions/${id}/balance-changes`,
];

const idOf = (block: BuiltBlock) => (block.body as { transactions: { txid: string }[] }).transactions.at(-1)!.txid;

test('the ETag of a mined transaction and of a block outlives new blocks, pending ones and forks above it', async t => {
  const chain = testChain({ accounts: 3 });
  const paid = { transactions: [{ kind: 'transfer', from: 0, to: bob, amount: 5n }] } as const;
  const line = mineLine(chain, chain.genesis, 4, { tenure: 'new', transactions: 2 });
  const block = chain.mine(line.at(-1)!, { ...paid, tenure: 'new' });
  const api = await startLive(t, [chain.genesis, ...line, block]);
  const urls = urlsOf(block, idOf(block));
  const etags = await Promise.all(urls.map(api.etagOf));
  const answers = async () => await Promise.all(urls.map((url, i) => api.ask(url, etags[i]!)));
  const still = urls.map(() => 304);
  expect(await answers()).toEqual(still);

  const above = mineLine(chain, block, 3, { tenure: 'new', transactions: 2 });
  await api.add(above);
  expect(await answers()).toEqual(still);
  expect(await Promise.all(urls.map(api.etagOf))).toEqual(etags);

  // A fork that leaves the block where it is.
  await api.add(mineLine(chain, above[0]!, 4, { tenure: 'new', transactions: 1 }));
  expect(api.tip.rollbacks).toHaveLength(1);
  expect(await answers()).toEqual(still);

  // One that takes it.
  await api.add(mineLine(chain, line.at(-1)!, 9, { ...quiet, tenure: 'new' }));
  expect((await answers()).filter(status => status === 304)).toEqual([]);
  const other = await api.app.inject(`/extended/v2/blocks/${block.height}`);
  expect(other.headers.etag).not.toBe(etags[4]);
});

test('a 304 of an old transaction needs no query, and another process agrees', async t => {
  const chain = testChain({ accounts: 3 });
  const line = mineLine(chain, chain.genesis, 5, { tenure: 'new', transactions: 2 });
  const api = await startLive(t, [chain.genesis, ...line]);
  const [, , block] = line;
  const url = `/extended/v1/tx/${idOf(block!)}`;
  const etag = await api.etagOf(url);
  await api.add(mineLine(chain, line.at(-1)!, 2, { tenure: 'new', transactions: 1 }));
  const { misses } = api.responses;
  expect(await api.ask(url, etag)).toBe(304);
  expect(api.responses.misses).toBe(misses);
  for (const forged of ['"h.1"', '"hzzzzzz.0.1-0000"', etag.replace(/\./, 'z.'), etag.replace('"h', '"h1')]) {
    expect([forged, await api.ask(url, forged)]).toEqual([forged, 200]);
  }
});

test('the ETag of a principal changes when it is touched, and not by what others do', async t => {
  const chain = testChain({ accounts: 4 });
  const pay = (from: number, to: string) => ({
    tenure: 'new' as const,
    transactions: [{ kind: 'transfer' as const, from, to, amount: 5n }],
  });
  const line = [chain.mine(chain.genesis, pay(0, bob))];
  const grow = (options: Parameters<typeof chain.mine>[1]) => {
    line.push(chain.mine(line.at(-1)!, options));
    return [line.at(-1)!];
  };
  const api = await startLive(t, [chain.genesis, ...line]);
  const lists = [
    `/extended/v1/address/${alice}/transactions`,
    `/extended/v1/address/${alice}/assets`,
    `/extended/v1/address/${alice}/nonces`,
    `/extended/v2/addresses/${alice}/transactions`,
    `/extended/v3/principals/${alice}/transactions`,
    `/extended/v3/principals/${alice}/transfers/stx/outbound`,
    `/extended/v3/principals/${alice}/balances/ft`,
    `/extended/v3/principals/${alice}/nonces`,
    `/extended/v3/principals/${alice}/mempool/transactions`,
    `/extended/v3/principals/${alice}/mining`,
  ];
  const balances = [
    `/extended/v1/address/${alice}/stx`,
    `/extended/v1/address/${alice}/balances`,
    `/extended/v2/addresses/${alice}/balances/stx`,
    `/extended/v3/principals/${alice}/balances/stx`,
  ];
  const urls = [...lists, ...balances];
  let etags = await Promise.all(urls.map(api.etagOf));
  const statuses = async () => await Promise.all(urls.map((url, i) => api.ask(url, etags[i]!)));

  // Others pay each other in the same tenure: the burn chain stands still.
  await api.add(grow({ ...pay(1, addressOf(2)), tenure: 'same' }));
  expect(await statuses()).toEqual(urls.map(() => 304));
  // A new burn block may end locks, which only balances tell.
  await api.add(grow(pay(2, bob)));
  expect(await statuses()).toEqual([...lists.map(() => 304), ...balances.map(() => 200)]);

  etags = await Promise.all(urls.map(api.etagOf));
  await api.add(grow({ ...pay(1, alice), tenure: 'same' }));
  expect(await statuses()).toEqual(urls.map(() => 200));

  etags = await Promise.all(urls.map(api.etagOf));
  await api.send([mempoolMessage([transfer({ from: 2, nonce: 7, to: 1 })])]);
  expect(await statuses()).toEqual(urls.map(() => 304));
  await api.send([mempoolMessage([transfer({ from: 2, nonce: 8, to: 0 })])]);
  const pending = urls.map(url => /nonces|mempool|stx$|balances$/.test(url) && !/transfers/.test(url));
  expect(await statuses()).toEqual(pending.map(is => (is ? 200 : 304)));

  // A fork may have touched anybody.
  etags = await Promise.all(urls.map(api.etagOf));
  await api.add(mineLine(chain, line.at(-2)!, 3, { ...quiet, tenure: 'new' }));
  expect(await statuses()).toEqual(urls.map(() => 200));
});
