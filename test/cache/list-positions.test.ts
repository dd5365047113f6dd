import { expect, test } from 'vitest';
import { ListPositionCache } from '../../src/read/pages/list-position-cache.ts';

const position = (skipped: number) => ({ skipped, key: `row ${skipped}` });

test('the last position before an offset is found, whatever the order in which they were added', () => {
  const cache = new ListPositionCache<string>();
  for (const skipped of [300, 100, 900, 500]) cache.add('list', 'a', position(skipped));
  const found = [0, 99, 100, 101, 499, 500, 10_000].map(offset => cache.before('list', offset)?.key);
  expect(found).toEqual([undefined, undefined, 'row 100', 'row 100', 'row 300', 'row 500', 'row 900']);
});

test('a new version of a list drops its positions, and those of no other list', () => {
  const cache = new ListPositionCache<string>();
  cache.add('list', 'a', position(100));
  cache.add('other', 'a', position(100));
  cache.add('list', 'b', position(200));
  expect(cache.before('list', 150)).toBeUndefined();
  expect(cache.before('list', 250)).toEqual({ ...position(200), version: 'b' });
  expect(cache.before('other', 150)).toEqual({ ...position(100), version: 'a' });
});

test('positions keep their distance and are bounded', () => {
  const cache = new ListPositionCache<string>();
  for (let skipped = 1; skipped <= 100_000; skipped++) cache.add('list', 'a', position(skipped));
  expect(cache.before('list', 149)).toEqual({ ...position(100), version: 'a' });
  expect(cache.before('list', 99_999)).toEqual({ ...position(50_000), version: 'a' });
});

test('the lists that were used longest ago are dropped', () => {
  const cache = new ListPositionCache<string>();
  for (let n = 0; n <= 100; n++) cache.add(`list ${n}`, 'a', position(100));
  expect(cache.before('list 0', 150)).toBeUndefined();
  expect(cache.before('list 1', 150)).toBeDefined();
});
