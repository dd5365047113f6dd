/** A row of a long list, and how many rows of the list there are up to and including it. */
export type ListPosition<Key> = { skipped: number; key: Key };

/** Known positions of lists: `src/read/pages/list-position-cache.ts` has them. */
export type ListPositionStore<Key> = {
  /** The last known row of a list within its first `offset` rows, and the version of the list. */
  before(list: string, offset: number): (ListPosition<Key> & { version: string }) | undefined;
  add(list: string, version: string, position: ListPosition<Key>): void;
};
