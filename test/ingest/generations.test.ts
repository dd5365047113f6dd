import { expect, test } from 'vitest';
import { Generations } from '../../src/ingest/rows/generations.ts';

test('used entries stay, entries that are unused for two rotations are dropped', () => {
  const cache = new Generations<string, number>(2);
  cache.set('used', 1);
  cache.set('unused', 2);
  cache.rotate();
  expect(cache.get('used')).toBe(1);
  cache.set('new', 3);
  cache.rotate();
  expect([cache.get('used'), cache.get('unused'), cache.get('new')]).toEqual([1, undefined, 3]);
});

test('a complete cache says so until it drops an entry', () => {
  const cache = new Generations<number, number>(2, true);
  for (let key = 0; key < 3; key++) cache.set(key, key);
  cache.rotate();
  expect(cache.complete).toBe(true);
  cache.set(3, 3);
  cache.rotate();
  expect(cache.complete).toBe(true);
  cache.set(4, 4);
  cache.rotate();
  expect(cache.complete).toBe(false);
});

test('a cache that was emptied, or began beside stored values, is not complete', () => {
  const cache = new Generations<number, number>(2, true);
  cache.clear();
  expect(cache.complete).toBe(false);
  expect(new Generations<number, number>(2).complete).toBe(false);
});
