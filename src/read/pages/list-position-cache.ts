import type { ListPosition, ListPositionStore } from './list-position-queries.ts';

/** Minimum number of rows between two positions of a list. */
const STRIDE = 50;

const MAX_POSITIONS = 1_000;
const MAX_LISTS = 100;

/**
 * Rows of long lists whose index is known. A page at an offset starts at the nearest known row before it, so that a client
 * that reads page after page never makes the database count from the start. A new version of a list drops its positions.
 */
export class ListPositionCache<Key> implements ListPositionStore<Key> {
  readonly #lists = new Map<string, Positions<Key>>();

  before(list: string, offset: number): (ListPosition<Key> & { version: string }) | undefined {
    return this.#lists.get(list)?.before(offset);
  }

  add(list: string, version: string, position: ListPosition<Key>): void {
    const known = this.#lists.get(list);
    const positions = known?.version === version ? known : new Positions<Key>(version);
    positions.add(position);
    this.#lists.delete(list);
    this.#lists.set(list, positions);
    if (this.#lists.size > MAX_LISTS) this.#lists.delete(this.#lists.keys().next().value!);
  }
}

class Positions<Key> {
  readonly version: string;
  readonly #positions: ListPosition<Key>[] = [];

  constructor(version: string) {
    this.version = version;
  }

  before(offset: number): (ListPosition<Key> & { version: string }) | undefined {
    const position = this.#positions[this.#countUpTo(offset) - 1];
    return position && { ...position, version: this.version };
  }

  add(position: ListPosition<Key>): void {
    const count = this.#countUpTo(position.skipped);
    const last = this.#positions[count - 1]?.skipped ?? 0;
    if (position.skipped - last < STRIDE || this.#positions.length === MAX_POSITIONS) return;
    this.#positions.splice(count, 0, position);
  }

  /** How many positions have skipped no more than so many rows. */
  #countUpTo(skipped: number): number {
    let low = 0;
    let high = this.#positions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#positions[middle]!.skipped <= skipped) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
