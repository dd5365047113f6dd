import { quicksort } from './quicksort.ts';

/** The first rows of a sort as the bounded heap of PostgreSQL returns them: equal rows are in the order of the heap. */
export function boundedSort<T>(rows: readonly T[], bound: number, compare: (a: T, b: T) => number): T[] {
  if (rows.length <= 2 * bound) return quicksort(rows, compare).slice(0, bound);
  /** The last of the selected rows is on top. */
  const heap: T[] = [];
  const goesAbove = (a: T, b: T) => compare(a, b) > 0;

  const push = (row: T) => {
    let at = heap.length;
    for (let parent = (at - 1) >> 1; at > 0 && goesAbove(row, heap[parent]!); parent = (at - 1) >> 1) {
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = row;
  };

  const replaceTop = (row: T) => {
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && goesAbove(heap[child + 1]!, heap[child]!)) child++;
      if (!goesAbove(heap[child]!, row)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = row;
  };

  const takeTop = (): T => {
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) replaceTop(last);
    return top;
  };

  for (const row of rows) {
    if (heap.length < bound) push(row);
    else if (goesAbove(heap[0]!, row)) replaceTop(row);
  }
  return Array.from({ length: heap.length }, takeTop).reverse();
}
