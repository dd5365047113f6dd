/**
 * A bounded cache that drops entries that have not been used for a while: they live in a young and an old generation, and a
 * rotation drops the old one. Rotating only between batches guarantees that no entry of a batch is dropped while it is written.
 */
export class Generations<K, V> {
  readonly #limit: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #complete: boolean;

  /** `complete` when the tables are empty, so that the cache lacks nothing. */
  constructor(limit: number, complete = false) {
    this.#limit = limit;
    this.#complete = complete;
  }

  /** True while the cache holds everything that is stored. */
  get complete(): boolean {
    return this.#complete;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.#young.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    this.#young.set(key, value);
  }

  /** Called between batches. */
  rotate(): void {
    if (this.#young.size < this.#limit) return;
    if (this.#old.size > 0) this.#complete = false;
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#complete = false;
    this.#young.clear();
    this.#old.clear();
  }
}
