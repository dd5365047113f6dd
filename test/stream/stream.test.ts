import { mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { expect, test } from 'vitest';
import { readPosition } from '../../src/chain/position.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { transfer } from '../support/mempool.ts';
import { addressOf, serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';
import { openStream } from './support/stream-client.ts';

const pay = (from: number, to: number, amount: bigint) =>
  ({ kind: 'transfer', from, to: addressOf(to), amount }) as const;

type Message = { type: string; position: string; block?: { height: number; index_block_hash: string } };

test('pages begin at a height, continue at a position, and end at the tip', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 5, { transactions: [pay(0, 1, 5n)] });
  const { get, ask } = await serveChain(t, [chain.genesis, ...blocks]);
  const all = await get('/extended/v1/stream/pages?from_height=2&topics=blocks,transactions,transfers');
  expect(all.results.map((m: Message) => m.block?.height)).toEqual([2, 3, 4, 5]);
  expect(all.results[0].transfers).toEqual([
    {
      tx_id: expect.any(String),
      event_index: 0,
      asset: 'STX',
      type: 'transfer',
      sender: addressOf(0),
      recipient: addressOf(1),
      amount: '5',
      value: null,
    },
  ]);
  expect(all.at_tip).toBe(true);

  const first = await get('/extended/v1/stream/pages?from_height=2&limit=1');
  expect(first).toMatchObject({ at_tip: false, results: [{ type: 'apply', block: { height: 2 } }] });
  const rest = await get(`/extended/v1/stream/pages?after=${first.position}`);
  expect(rest.results.map((m: Message) => m.block?.height)).toEqual([3, 4, 5]);
  expect((await get(`/extended/v1/stream/pages?after=${rest.position}`)).results).toEqual([]);

  const tip = await get('/extended/v1/stream/tip');
  expect(tip).toMatchObject({ block_height: 5, index_block_hash: blocks[4]!.indexHash });
  expect((await get(`/extended/v1/stream/pages?after=${tip.position}`)).results).toEqual([]);
  expect((await ask('/extended/v1/stream/pages?from_height=7')).status).toBe(400);
});

test('a reader of a removed branch gets a rollback to the block that both have, then the new branch', async t => {
  const chain = testChain();
  const old = mineLine(chain, chain.genesis, 4, { transactions: [pay(0, 1, 5n)] });
  const api = await serveChain(t, [chain.genesis, ...old]);
  const { position } = await api.get('/extended/v1/stream/pages?from_height=1');
  const fork = mineLine(chain, old[1]!, 3, { transactions: [pay(0, 2, 7n)] });
  const folded = await foldAll(api.database, fork.flatMap(messagesOf));
  await until(async () => api.tip.current?.seq === Number(folded.journal_seq));

  const { results } = await api.get(`/extended/v1/stream/pages?after=${position}`);
  expect(results[0]).toMatchObject({
    type: 'rollback',
    from: { height: 4, index_block_hash: old[3]!.indexHash },
    to: { height: 2, index_block_hash: old[1]!.indexHash },
    removed: [old[3]!.indexHash, old[2]!.indexHash],
  });
  expect(results.slice(1).map((m: Message) => m.block?.index_block_hash)).toEqual(fork.map(block => block.indexHash));
  // A reader that begins now never hears of the removed branch.
  const fresh = await api.get('/extended/v1/stream/pages?from_height=1');
  expect(fresh.results.map((m: Message) => m.type)).toEqual(Array(5).fill('apply'));
});

test('filters select items, and blocks without one are left out', async t => {
  const chain = testChain();
  const one = chain.mine(chain.genesis, { transactions: [pay(0, 1, 5n), pay(0, 2, 6n)] });
  const two = chain.mine(one, { transactions: [pay(0, 2, 7n)] });
  const { get, ask } = await serveChain(t, [chain.genesis, one, two]);
  const page = async (query: string) => (await get(`/extended/v1/stream/pages?from_height=1&${query}`)).results;
  const amounts = (results: { transfers: { amount: string }[] }[]) => results.map(r => r.transfers.map(x => x.amount));
  expect(amounts(await page(`topics=transfers&principal=${addressOf(1)}`)).flat()).toContain('5');
  expect((await page(`topics=transactions&principal=${addressOf(2)}`)).map((m: Message) => m.block?.height)).toEqual(
    expect.arrayContaining([one.height, two.height]),
  );
  expect(await page('topics=events&event_type=nft_mint')).toEqual([]);
  for (const [query, word] of [
    ['topics=transactions&asset=STX', 'asset'],
    ['topics=blocks&principal=SP000000000000000000002Q6VF78', 'principal'],
    ['topics=nothing', 'topics'],
    ['princpal=SP', 'principal'],
    ['topics=events&principal=nobody', 'principal'],
    [`topics=contract_logs&contract=${addressOf(1)}`, 'contract'],
    ['after=abc', 'after'],
    [`after=${'A'.repeat(76)}`, 'position'],
  ]) {
    const { status, body } = await ask(`/extended/v1/stream/pages?${query}`);
    expect([query, status, body.message]).toEqual([query, 400, expect.stringContaining(word!)]);
  }
});

test('a position of the future is refused, and so is one of an unknown block', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 3);
  const { get, ask } = await serveChain(t, [chain.genesis, ...blocks]);
  const other = testChain({ seed: 2 });
  const far = mineLine(other, other.genesis, 6);
  const foreign = await serveChain(t, [other.genesis, ...far]);
  const { position } = await foreign.get('/extended/v1/stream/tip');
  expect(await ask(`/extended/v1/stream/pages?after=${position}`)).toMatchObject({ status: 400 });
  const near = (await foreign.get('/extended/v1/stream/pages?from_height=1&limit=2')).position;
  expect(readPosition(near)?.height).toBe(2);
  expect(await ask(`/extended/v1/stream/pages?after=${near}`)).toMatchObject({ status: 409, body: { from_height: 2 } });
  expect((await get('/extended/v1/stream/pages?from_height=3')).results).toHaveLength(1);
});

test('a position before steps of the mempool that are no longer stored is gone for who wants them', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 2);
  const { get, ask, database, tip } = await serveChain(t, [chain.genesis, ...blocks]);
  const { position } = await get('/extended/v1/stream/tip');
  const folded = await foldAll(database, [mempoolMessage([transfer({ from: 3, nonce: 0 })])]);
  await until(async () => tip.current?.seq === Number(folded.journal_seq));
  const after = `/extended/v1/stream/pages?after=${position}`;

  // As housekeeping deletes all but the newest 10,000.
  await database.sql`delete from mempool_news`;
  const gone = await ask(`${after}&topics=mempool`);
  expect(gone).toMatchObject({ status: 410, body: { message: expect.stringContaining('/extended/v1/stream/tip') } });
  expect((await ask(`${after}&topics=blocks`)).status).toBe(200);
});

test('a stream sends history and goes on with what comes; one that connects again misses and repeats nothing', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 3);
  const api = await serveChain(t, [chain.genesis, ...blocks]);
  const base = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const stream = await openStream(`${base}/extended/v1/stream?from_height=2`);
  expect((await stream.take(2)).map(({ data }) => data.block.height)).toEqual([2, 3]);
  const next = chain.mine(blocks[2]!, {});
  await foldAll(api.database, messagesOf(next));
  const [live] = await stream.take(1);
  expect(live).toMatchObject({ event: 'apply', data: { block: { height: 4 }, position: live!.id } });
  stream.close();

  const last = chain.mine(next, {});
  await foldAll(api.database, messagesOf(last));
  const resumed = await openStream(`${base}/extended/v1/stream`, { 'last-event-id': live!.id });
  expect((await resumed.take(1)).map(({ data }) => data.block.height)).toEqual([5]);
  // The end of the service tells why.
  api.streams.stop();
  expect(await resumed.rest()).toContain('stopping');
});

test('a list names the position it was read at, from which a stream goes on without a gap', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 3);
  const api = await serveChain(t, [chain.genesis, ...blocks]);
  const ask = async (url: string) => await api.app.inject(url);
  const read = await ask('/extended/v2/blocks?limit=1');
  const position = read.headers['x-cairn-position'];
  expect(position).toBe((await api.get('/extended/v1/stream/tip')).position);
  expect((await ask('/extended/v2/blocks?limit=1')).headers['x-cairn-position']).toBe(position);
  await foldAll(api.database, messagesOf(chain.mine(blocks[2]!, {})));
  const { results } = await api.get(`/extended/v1/stream/pages?after=${position}`);
  expect(results.map((m: Message) => m.block?.height)).toEqual([4]);
  await until(async () => api.tip.current?.height === 4);
  expect((await ask('/extended/v2/blocks?limit=1')).headers['x-cairn-position']).not.toBe(position);
});

test('a position above the tip waits for its block, which another process may have had first', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 3);
  const [ahead, behind] = [
    await serveChain(t, [chain.genesis, ...blocks]),
    await serveChain(t, [chain.genesis, ...blocks.slice(0, 2)], { heightWaitMs: 240_000 }),
  ];
  const { position } = await ahead.get('/extended/v1/stream/tip');
  const page = behind.get(`/extended/v1/stream/pages?after=${position}`);
  await foldAll(behind.database, messagesOf(blocks[2]!));
  expect((await page).results).toEqual([]);
});
