/** What an entry costs beside its value and its key. */
const OVERHEAD = 256;

/** The memory of a text of so many bytes in UTF-8: what goes beyond ASCII may take two bytes for each character. */
export const textBytes = (text: string, length = Buffer.byteLength(text)) =>
  length === text.length ? length : 2 * text.length;

type Entry<V> = { value: V; cost: number };

/**
 * Values by key within a bound of bytes. Those used since the last change of generations are in the younger one; when it
 * has half of the bytes, it becomes the older one, and what nobody used meanwhile is dropped. A list kept in the order of
 * use would write with every read, and the tables that a Map leaves behind keep what was in them from being collected.
 */
export class RecentlyUsed<V> {
  readonly #maxBytes: number;
  #younger = new Generation<V>();
  #older = new Generation<V>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#younger.bytes + this.#older.bytes;
  }

  get(key: string): V | undefined {
    const entry = this.#younger.entries.get(key);
    if (entry !== undefined) return entry.value;
    const older = this.#older.take(key);
    if (older !== undefined) this.#add(key, older);
    return older?.value;
  }

  set(key: string, value: V, bytes: number): void {
    const cost = bytes + key.length * 2 + OVERHEAD;
    // One value never pushes out more than an eighth of the others.
    if (cost > this.#maxBytes / 8) return;
    this.#younger.take(key);
    this.#older.take(key);
    this.#add(key, { value, cost });
  }

  #add(key: string, entry: Entry<V>): void {
    if (this.#younger.bytes + entry.cost > this.#maxBytes / 2) {
      this.#older = this.#younger;
      this.#younger = new Generation();
    }
    this.#younger.entries.set(key, entry);
    this.#younger.bytes += entry.cost;
  }
}

class Generation<V> {
  readonly entries = new Map<string, Entry<V>>();
  bytes = 0;

  /** The entry of a key, which is no longer kept here. */
  take(key: string): Entry<V> | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.bytes -= entry.cost;
    return entry;
  }
}
