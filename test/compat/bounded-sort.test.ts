import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedSort } from '../../src/compat/bounded-sort.ts';

test('the first rows of a sort are found, in order', () => {
  const keys = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 120 });
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 20 }), (rows, bound) => {
      const first = [...rows].sort((a, b) => a - b).slice(0, bound);
      expect(boundedSort(rows, bound, (a, b) => a - b)).toEqual(first);
    }),
  );
});

test('equals end where PostgreSQL leaves them, and the first of them are kept', () => {
  type Named = readonly [name: string, key: number];
  const rows = (name: string, key: number, length: number): Named[] =>
    Array.from({ length }, (_, i) => [`${name}${i}`, key]);
  const names = (found: readonly Named[]) => found.map(([name]) => name).join(' ');
  const falling = (a: Named, b: Named) => b[1] - a[1];
  expect(names(boundedSort(rows('a', 1, 10), 5, falling))).toBe('a0 a1 a2 a3 a4');
  expect(names(boundedSort(rows('a', 1, 24), 5, falling))).toBe('a1 a2 a3 a4 a0');
  const mixed = [...rows('a', 1, 9), ...rows('b', 4, 1), ...rows('c', 5, 27)];
  expect(names(boundedSort(mixed, 5, falling))).toBe('c3 c2 c1 c0 c4');
});
