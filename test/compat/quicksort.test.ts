import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quicksort } from '../../src/compat/quicksort.ts';

type Named = readonly [name: string, key: number];
const row = (name: string, first: number, length: number): Named[] =>
  Array.from({ length }, (_, i) => [`${name}${i}`, first + i]);
const names = (rows: readonly Named[]) => rows.map(([name]) => name).join(' ');
const falling = (a: Named, b: Named) => b[1] - a[1];

test('rows come out sorted and none is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 120 }), keys => {
      expect(quicksort(keys, (a, b) => a - b)).toEqual([...keys].sort((a, b) => a - b));
    }),
  );
});

test('few rows, and rows that are sorted already, keep the order of equals', () => {
  expect(names(quicksort([...row('a', 1, 3), ...row('b', 1, 3)], falling))).toBe('a2 b2 a1 b1 a0 b0');
  const sorted: Named[] = row('a', 0, 9).map(([name]) => [name, 5]);
  expect(quicksort(sorted, falling)).toEqual(sorted);
});

test('equals of more rows end where PostgreSQL leaves them', () => {
  const genesis = row('a', 1, 7);
  expect(names(quicksort([...genesis, ...row('b', 0, 4)], falling))).toBe('a6 a5 a4 a3 b3 a2 a1 b2 b1 a0 b0');
  expect(names(quicksort([...genesis, ...row('b', 0, 5)], falling))).toBe('a6 a5 a4 b4 a3 b3 a2 b2 a1 b1 a0 b0');
});
