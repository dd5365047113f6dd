import { boundedSort } from './bounded-sort.ts';

type Position = { height: number; place: number };

/** How many of the newest contracts decide on the order of equal heights on the first page. */
export const traitWindow = 200;

/**
 * The first page of the contracts that have a trait, in the order of the incumbent: newest block first, contracts of one
 * block where a bounded heap sort of PostgreSQL leaves them. Later pages are in the order of the block.
 */
export function firstPageByTrait<T extends Position>(newest: readonly T[], limit: number): T[] {
  const ascending = newest.toSorted((a, b) => a.height - b.height || a.place - b.place);
  return boundedSort(ascending, limit, (a, b) => b.height - a.height);
}
