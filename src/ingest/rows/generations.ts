/**
 * A bounded map that forgets what has not been used for a while: entries live in a young and an old generation, and a turn
 * drops the old one. Turning only between batches guarantees that nothing used by a batch vanishes while it is written.
 */
export class Generations<K, V> {
  readonly #limit: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #complete: boolean;

  /** `complete` when nothing is stored yet that the memory could lack. */
  constructor(limit: number, complete = false) {
    this.#limit = limit;
    this.#complete = complete;
  }

  /** True while the memory holds all there is: what it lacks is stored nowhere. */
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
