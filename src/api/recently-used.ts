/** What an entry costs beside its value and its key. */
const OVERHEAD = 256;

/** The memory of a text: what goes beyond ASCII may take two bytes for each character. */
export const textBytes = (text: string) => (isAscii(text) ? text.length : 2 * text.length);

export const isAscii = (text: string) => Buffer.byteLength(text) === text.length;

/** Values by key within a bound of bytes: the least recently used are dropped first. */
export class RecentlyUsed<V> {
  readonly #entries = new Map<string, { value: V; cost: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // Map keeps insertion order: taking the entry out and in again makes it the youngest.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, bytes: number): void {
    const cost = bytes + key.length * 2 + OVERHEAD;
    // One value never pushes out more than an eighth of the others.
    if (cost > this.#maxBytes / 8) return;
    this.#drop(key);
    this.#entries.set(key, { value, cost });
    this.#bytes += cost;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.cost;
  }
}
