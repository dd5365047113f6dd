import { describe, expect, test } from 'vitest';
import { mineLine, testChain } from '../support/chain.ts';
import { serveChainForFile } from '../support/served-chain.ts';

type Listed = { height: number; hash: string; index_block_hash: string };
const heights = (page: { results: Listed[] }) => page.results.map(block => block.height);

/** Heights from the first down to the second. */
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);

describe('on a line of blocks', () => {
  const chain = testChain();
  const first = chain.mine(chain.genesis, { tenure: 'new', transactions: 3 });
  const second = chain.mine(first, { tenure: 'same', transactions: 2 });
  const third = chain.mine(second, { tenure: 'new' });
  const line = [first, second, third, ...mineLine(chain, third, 8, { transactions: 0 })];
  const { get, ask } = serveChainForFile(() => [chain.genesis, ...line]);

  test('pages join without a gap, to the older blocks and back', async () => {
    const pages = [await get('/extended/v2/blocks?limit=4')];
    while (pages.at(-1).prev_cursor) {
      pages.push(await get(`/extended/v2/blocks?limit=4&cursor=${pages.at(-1).prev_cursor}`));
    }
    expect(pages.flatMap(heights)).toEqual(down(11, 1));
    expect(pages[0].next_cursor).toBe(null);
    expect(await get(`/extended/v2/blocks?limit=4&cursor=${pages[2].next_cursor}`)).toEqual(pages[1]);
    expect(pages[0].total).toBe(11);
  });

  test('an offset moves away from the cursor, and past the ends there is nothing', async () => {
    const cursor = line[2]!.indexHash;
    expect(heights(await get(`/extended/v2/blocks?limit=2&cursor=${cursor}&offset=-2`))).toEqual([5, 4]);
    expect(heights(await get(`/extended/v2/blocks?limit=2&cursor=${cursor}&offset=1`))).toEqual([2, 1]);
    expect((await ask(`/extended/v2/blocks?cursor=${cursor}&offset=5`)).status).toBe(404);
    expect(await get('/extended/v2/blocks?offset=11')).toMatchObject({ total: 0, results: [], cursor: null });
    expect(await get('/extended/v1/block?offset=11')).toMatchObject({ total: 11, results: [] });
    expect(heights(await get('/extended/v1/block?offset=9'))).toEqual([2, 1]);
  });

  test('a block is found by its height, by either of its hashes, and as the latest', async () => {
    const latest = line.at(-1)!;
    const { height, hash, indexHash } = latest;
    const byHeight = await get(`/extended/v2/blocks/${height}`);
    expect(byHeight).toMatchObject({ height, hash, index_block_hash: indexHash, canonical: true });
    for (const key of [hash, hash.slice(2), indexHash, 'latest']) {
      expect(await get(`/extended/v2/blocks/${key}`)).toEqual(byHeight);
    }
  });

  test('the old shape of a block lists its transactions, last one first', async () => {
    const ids = second.transactions.map(transaction => transaction.txId).reverse();
    expect((await get('/extended/v1/block/by_height/2')).txs).toEqual(ids);
    expect((await get('/extended/v1/block?offset=9')).results[0].txs).toEqual(ids);
  });

  test('block 1 has those of block 0 too, in one order in every form and on every page', async () => {
    type Placed = { tx_id: string; tx_index: number };
    const ids = (rows: Placed[]) => rows.map(row => row.tx_id);
    const list: Placed[] = (await get('/extended/v1/tx/block_height/1?limit=50')).results;
    expect(ids(list).sort()).toEqual(
      [...chain.genesis.transactions, ...first.transactions].map(transaction => transaction.txId).sort(),
    );
    expect(list.map(row => row.tx_index)).toEqual(list.map(row => row.tx_index).sort((a, b) => b - a));
    expect((await get('/extended/v1/block/by_height/1')).txs).toEqual(ids(list));
    expect((await get('/extended/v1/block?offset=10')).results[0].txs).toEqual(ids(list));

    const rising: Placed[] = (await get('/extended/v2/blocks/1/transactions?limit=50')).results;
    expect(rising.map(row => row.tx_index)).toEqual(list.map(row => row.tx_index).reverse());
    for (const [path, whole] of [
      ['/extended/v1/tx/block_height/1', list],
      ['/extended/v2/blocks/1/transactions', rising],
    ] as const) {
      const pages: Placed[] = [];
      while (pages.length < whole.length) pages.push(...(await get(`${path}?limit=2&offset=${pages.length}`)).results);
      expect(pages).toEqual(whole);
    }
  });

  test('a burn block has the Stacks blocks of its tenure, newest first', async () => {
    const burn = await get(`/extended/v2/burn-blocks/${first.burn.height}`);
    expect(burn.stacks_blocks).toEqual([second.hash, first.hash]);
    expect(burn.total_tx_count).toBe(first.transactions.length + second.transactions.length);
    expect(await get(`/extended/v2/burn-blocks/${burn.burn_block_hash}`)).toEqual(burn);
    expect(heights(await get(`/extended/v2/burn-blocks/${first.burn.height}/blocks`))).toEqual([2, 1]);
    expect(heights(await get(`/extended/v2/block-tenures/${first.tenure.number}/blocks`))).toEqual([2, 1]);
    expect((await get(`/extended/v1/block/by_burn_block_height/${first.burn.height}`)).height).toBe(2);
    expect((await ask('/extended/v2/burn-blocks/7/blocks')).status).toBe(404);
    const listed: { burn_block_height: number }[] = (await get('/extended/v2/burn-blocks?limit=30')).results;
    const burnHeights = [...new Set(line.map(block => block.burn.height))].reverse();
    expect(listed.map(each => each.burn_block_height)).toEqual(burnHeights);
  });

  test('the signatures of a block come in pages', async () => {
    const { signer_signature: sent } = first.body as { signer_signature: string[] };
    const page = await get('/extended/v2/blocks/1/signer-signatures?limit=2&offset=1');
    const results = sent.slice(1, 3).map(text => `0x${text}`);
    expect(page).toEqual({ limit: 2, offset: 1, total: sent.length, results });
    expect(await get('/extended/v2/blocks/99/signer-signatures')).toMatchObject({ total: 0, results: [] });
  });

  test('the newest block at a time is the last one before it', async () => {
    const { block_time: time } = await get('/extended/v2/blocks/11');
    expect(await get(`/extended/v2/blocks/by-block-time/${time + 1000}`)).toMatchObject({ height: 11 });
    expect((await ask('/extended/v2/blocks/by-block-time/1000')).status).toBe(404);
  });

  test('a value that is not a height or a hash is rejected, and so is an impossible height', async () => {
    for (const key of ['abc', '1.5', '-1', '2147483648', '1e300', '0xzz']) {
      expect((await ask(`/extended/v2/blocks/${key}`)).status, key).toBe(400);
      expect((await ask(`/extended/v2/burn-blocks/${key}`)).status, key).toBe(400);
    }
    expect((await ask('/extended/v1/block/by_height/2147483648')).status).toBe(400);
    expect((await ask('/extended/v1/block/0xzz')).status).toBe(400);
  });

  test('a hash without 0x is sent on to where it is found', async () => {
    const { status, location } = await ask(`/extended/v1/block/${first.hash.slice(2)}`);
    expect([status, location]).toEqual([302, `/extended/v1/block/${first.hash}`]);
  });
});

describe('after a fork', () => {
  const chain = testChain();
  const [base, left] = mineLine(chain, chain.genesis, 2, { tenure: 'new' });
  const right = mineLine(chain, base!, 2, { tenure: 'new' });
  const late = chain.mine(base!, { tenure: 'new' });
  const { get, ask } = serveChainForFile(() => [chain.genesis, base!, left!, ...right, late]);

  test('the block that was left behind is shown by its hash, as not canonical', async () => {
    expect(await get(`/extended/v1/block/${left!.hash}`)).toMatchObject({ height: 2, canonical: false, txs: [] });
    expect(await get('/extended/v1/block/by_height/2')).toMatchObject({ hash: right[0]!.hash, canonical: true });
    expect(await get(`/extended/v1/tx/block/${left!.hash}`)).toMatchObject({ total: 0, results: [] });
  });

  test('orphans are found by their burn block, where no canonical block has it', async () => {
    for (const orphan of [left!, late]) {
      const shared = right.some(block => block.burn.hash === orphan.burn.hash);
      const found = await get(`/extended/v1/block/by_burn_block_hash/${orphan.burn.hash}`);
      expect(found.hash).toBe(shared ? right[0]!.hash : orphan.hash);
    }
    expect(await get(`/extended/v1/block/by_burn_block_hash/${chain.genesis.burn.hash}`)).toMatchObject({ height: 0 });
    expect(await get(`/extended/v2/burn-blocks/${chain.genesis.burn.height}/blocks`)).toMatchObject({ results: [] });
  });

  test('a transaction that only a block off the chain held is found by a search', async () => {
    const [coinbase] = late.transactions;
    const { result } = await get(`/extended/v1/search/${coinbase!.txId}`);
    expect(result.tx_data).toMatchObject({ canonical: false, block_hash: late.hash });
    expect((await ask(`/extended/v1/tx/${coinbase!.txId}`)).status).toBe(404);
  });

  test('lists and cursors know the canonical chain alone', async () => {
    expect((await ask(`/extended/v2/blocks/${left!.hash}`)).status).toBe(404);
    expect((await ask(`/extended/v2/blocks?cursor=${left!.indexHash}`)).status).toBe(404);
    const hashes = (await get('/extended/v2/blocks')).results.map((block: Listed) => block.hash);
    expect(hashes).toEqual([right[1]!.hash, right[0]!.hash, base!.hash]);
  });
});

describe('in the time of microblocks', () => {
  const chain = testChain({ release: '2.4' });
  const [base] = mineLine(chain, chain.genesis, 1);
  const streamed = [chain.microblock(base!, 2), chain.microblock(base!), chain.microblock(base!)];
  const block = chain.mine(base!, { confirms: 2 });
  const loose = chain.microblock(block);
  const { get } = serveChainForFile(() => [chain.genesis, base!, ...streamed, block, loose]);
  const confirmed = streamed.slice(0, 2).map(microblock => microblock.hash);

  test('a block shows the microblocks it confirms and those that follow it', async () => {
    expect(await get('/extended/v1/block/by_height/1')).toMatchObject({ microblocks_streamed: confirmed });
    expect(await get('/extended/v1/block/by_height/2')).toMatchObject({
      microblocks_accepted: confirmed,
      microblocks_streamed: [loose.hash],
      microblock_tx_count: { [confirmed[0]!]: 2, [confirmed[1]!]: 1 },
      parent_microblock_hash: confirmed[1],
    });
  });

  test('the list of blocks shows them backwards, and those of the block before as what follows', async () => {
    const { results } = await get('/extended/v1/block');
    const backwards = [...confirmed].reverse();
    expect(results[0]).toMatchObject({ height: 2, microblocks_accepted: backwards, microblocks_streamed: [] });
    expect(results[1]).toMatchObject({ height: 1, microblocks_accepted: [], microblocks_streamed: [] });
  });

  test('tenure 0 has all blocks that were announced without a tenure', async () => {
    expect(heights(await get('/extended/v2/block-tenures/0/blocks'))).toEqual([2, 1]);
    expect(heights(await get('/extended/v2/block-tenures/2/blocks'))).toEqual([2]);
  });

  test('the list has the confirmed ones and the stream on the tip', async () => {
    const { total, results } = await get('/extended/v1/microblock');
    expect(total).toBe(3);
    expect(results.map((each: { microblock_hash: string }) => each.microblock_hash)).toEqual([
      loose.hash,
      ...[...confirmed].reverse(),
    ]);
    expect(await get('/extended/v1/microblock?limit=1&offset=2')).toMatchObject({ results: [results[2]] });
    expect(results[0]).toMatchObject({ block_hash: '0x', block_height: 3, microblock_canonical: true });
  });

  test('one that no block confirmed stays known by its hash', async () => {
    const lost = streamed[2]!;
    expect(await get(`/extended/v1/microblock/${lost.hash}`)).toMatchObject({
      canonical: true,
      microblock_canonical: false,
      txs: lost.transactions.map(transaction => transaction.txId),
    });
  });
});

describe('where the first known block confirms microblocks', () => {
  const chain = testChain({ release: '2.4' });
  const [base] = mineLine(chain, chain.genesis, 1);
  const { hash } = chain.microblock(base!, 2);
  const block = chain.mine(base!, { transactions: 0 });
  const { get } = serveChainForFile(() => [{ ...block, body: { ...block.body, block_height: 1 } }]);

  test('they are shown with the parent of the block', async () => {
    const shown = await get(`/extended/v1/microblock/${hash}`);
    expect(shown).toMatchObject({
      ...{ microblock_hash: hash, block_hash: block.hash, block_height: 1, parent_block_height: 0 },
      ...{ parent_block_hash: base!.hash, parent_burn_block_height: base!.burn.height },
    });
    expect(await get('/extended/v1/microblock')).toMatchObject({ total: 1, results: [shown] });
  });
});
