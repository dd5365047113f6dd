/**
 * Sorts as PostgreSQL sorts rows in memory (Bentley and McIlroy, "Engineering a Sort Function", 1993). The sort is not
 * stable: the order of equal rows depends only on their order in the input.
 */
export function quicksort<T>(rows: readonly T[], compare: (a: T, b: T) => number): T[] {
  const items = [...rows];
  const order = (a: number, b: number) => compare(items[a]!, items[b]!);

  const swap = (a: number, b: number) => {
    [items[a], items[b]] = [items[b]!, items[a]!];
  };
  const swapRuns = (a: number, b: number, length: number) => {
    for (let i = 0; i < length; i++) swap(a + i, b + i);
  };

  const median = (a: number, b: number, c: number) => {
    if (order(a, b) < 0) return order(b, c) < 0 ? b : order(a, c) < 0 ? c : a;
    return order(b, c) > 0 ? b : order(a, c) < 0 ? a : c;
  };

  const pivotOf = (start: number, count: number) => {
    const middle = start + (count >> 1);
    const last = start + count - 1;
    if (count === 7) return middle;
    if (count <= 40) return median(start, middle, last);
    const step = count >> 3;
    return median(
      median(start, start + step, start + 2 * step),
      median(middle - step, middle, middle + step),
      median(last - 2 * step, last - step, last),
    );
  };

  const isSorted = (start: number, count: number) => {
    for (let i = start + 1; i < start + count; i++) if (order(i - 1, i) > 0) return false;
    return true;
  };

  const insertionSort = (start: number, count: number) => {
    for (let i = start + 1; i < start + count; i++) {
      for (let j = i; j > start && order(j - 1, j) > 0; j--) swap(j, j - 1);
    }
  };

  const sort = (start: number, count: number) => {
    if (count < 7) insertionSort(start, count);
    else if (!isSorted(start, count)) part(start, count);
  };

  const part = (start: number, count: number) => {
    swap(start, pivotOf(start, count));
    // Equals of the pivot gather at both ends; between them the smaller ones grow from the left, the greater from the right.
    let [leftEquals, low, high, rightEquals] = [start + 1, start + 1, start + count - 1, start + count - 1];
    for (;;) {
      for (; low <= high && order(low, start) <= 0; low++) if (order(low, start) === 0) swap(leftEquals++, low);
      for (; low <= high && order(high, start) >= 0; high--) if (order(high, start) === 0) swap(high, rightEquals--);
      if (low > high) break;
      swap(low++, high--);
    }
    const end = start + count;
    const smaller = low - leftEquals;
    const greater = rightEquals - high;
    const atLeft = Math.min(leftEquals - start, smaller);
    swapRuns(start, low - atLeft, atLeft);
    const atRight = Math.min(greater, end - rightEquals - 1);
    swapRuns(low, end - atRight, atRight);
    sort(start, smaller);
    sort(end - greater, greater);
  };

  sort(0, items.length);
  return items;
}
