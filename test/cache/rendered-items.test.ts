import { expect, test } from 'vitest';
import { jsonOf, RenderedItemCache, ReorgDuringRead } from '../../src/cache/rendered-items.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';

type Key = { version: string | null; n: number };

function itemRenderer(maxBytes = 100_000) {
  const cache = new RenderedItemCache(maxBytes);
  const made: number[][] = [];
  /** Entries that have another version by the time they are read. */
  const reads = new Map<number, string>();
  const renderList = (...keys: Key[]) =>
    cache.render(keys, {
      namespace: 'entry',
      keyOf: ({ n }) => n,
      read: async missing => {
        made.push(missing.map(({ n }) => n));
        return missing.map(({ n, version }) => ({ n, version: reads.get(n) ?? version }));
      },
      render: ({ n }) => value(n),
    });
  return { cache, made, reads, render: renderList };
}

const entry = (n: number): Key => ({ version: 'v', n });
const value = (n: number) => ({ n, text: `"${n}" ü` });

test('entries are made once and stand in the order that was asked for', async () => {
  const { cache, made, render } = itemRenderer();
  const first = await render(entry(1), entry(2));
  expect(jsonOf({ total: 2, results: first })).toBe(JSON.stringify({ total: 2, results: [value(1), value(2)] }));
  const second = await render(entry(3), entry(2), { version: null, n: 4 }, entry(1));
  const expected = { results: [value(3), value(2), value(4), value(1)], total: 4, next: null };
  expect(jsonOf({ results: second, total: 4, next: null })).toBe(JSON.stringify(expected));
  await render({ version: null, n: 4 });
  expect(made).toEqual([[1, 2], [3, 4], [4]]);
  expect([cache.hits, cache.misses]).toEqual([2, 5]);
});

test('rendered items may be inside the items of a list, beside undefined values', async () => {
  const [tx] = await itemRenderer().render(entry(1));
  const shown = { sent: '5', tx, nothing: undefined, events: { stx: 1 } };
  expect(jsonOf({ limit: undefined, results: [shown] })).toBe(
    JSON.stringify({ results: [{ sent: '5', tx: value(1), events: { stx: 1 } }] }),
  );
  expect(JSON.stringify({ results: [shown] })).toBe(jsonOf({ results: [shown] }));
});

test('a response without rendered items is plain JSON', () => {
  for (const answer of [
    { results: [] },
    { results: [null] },
    { results: [{ a: 1 }] },
    { results: 'x' },
    [1],
    null,
    'x',
  ])
    expect(jsonOf(answer)).toBe(JSON.stringify(answer));
});

test('an entry is rendered again in another version, and a list is not cached if the chain changed meanwhile', async () => {
  const { made, reads, render } = itemRenderer();
  await render(entry(1));
  await render({ version: 'w', n: 1 });
  expect(made).toEqual([[1], [1]]);
  reads.set(2, 'w');
  await expect(render(entry(2))).rejects.toThrow(ReorgDuringRead);
  reads.clear();
  await render(entry(2));
  expect(made.slice(2)).toEqual([[2], [2]]);
});

test('the least recently used items are evicted', async () => {
  const { cache, made, render } = itemRenderer(4000);
  for (let n = 0; n < 50; n++) await render(entry(n), entry(0));
  expect(cache.bytes).toBeLessThanOrEqual(4000);
  await render(entry(1), entry(0));
  expect(made.at(-1)).toEqual([1]);
});

test('after a fork lists show the replacements of cached entries', async t => {
  const chain = testChain();
  const [base, left] = mineLine(chain, chain.genesis, 2, { tenure: 'new' });
  const right = mineLine(chain, base!, 2, { tenure: 'new' });
  const { get, database, tip } = await serveChain(t, [chain.genesis, base!, left!]);
  const urls = [
    '/extended/v1/tx?limit=50',
    '/extended/v1/block',
    '/extended/v2/blocks',
    '/extended/v1/tx/block_height/2?limit=50',
    '/extended/v2/blocks/2/transactions?limit=50',
  ];
  const before = await Promise.all(urls.map(get));
  for (const answer of before) expect(JSON.stringify(answer)).toContain(left!.hash);
  const position = await foldAll(database, right.flatMap(messagesOf));
  await until(async () => tip.current?.height === position.height);
  for (const url of urls) {
    const answer = JSON.stringify(await get(url));
    expect(answer).not.toContain(left!.hash);
    expect(answer).toContain(right[0]!.hash);
  }
});
