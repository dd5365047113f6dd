import { quicksort } from './quicksort.ts';

/** A transaction of block 1, or of a block that follows it in the same list. */
export type OrderedRow = { height: number; place: number; tx_index: number };

/**
 * The transactions of block 1 in the order of the incumbent. Block 1 shows the transactions of block 0 as its own, so that
 * two may have the same index. The incumbent leaves them where an unstable sort put them; the sort is repeated here, with the
 * same rows in the same initial order. `following` has the number of transactions of each block that the list shows after it.
 */
export function orderFirstBlock(
  rows: readonly (OrderedRow & { genesis: boolean })[],
  height: number,
  order: 'asc' | 'desc',
  following: readonly number[],
): OrderedRow[] {
  const genesis = rows.filter(row => row.genesis);
  // Initially: block 0, backwards except in a descending list of block 1 alone; then block 1; then the others backwards.
  const stored: OrderedRow[] = [
    ...(order === 'desc' && following.length === 0 ? genesis : genesis.reverse()),
    ...rows.filter(row => !row.genesis),
    ...following.flatMap((count, i) => rowsBackwards(height + 1 + i, count)),
  ];
  const ascending = (a: OrderedRow, b: OrderedRow) => a.height - b.height || a.tx_index - b.tx_index;
  const sorted = quicksort(stored, order === 'asc' ? ascending : (a, b) => ascending(b, a));
  return sorted.filter(row => row.height === height);
}

const rowsBackwards = (height: number, count: number): OrderedRow[] =>
  Array.from({ length: count }, (_, i) => ({ height, place: count - 1 - i, tx_index: count - 1 - i }));
