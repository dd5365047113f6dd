/** What an entry costs beside its value and its key. */
const OVERHEAD = 256;

/** The memory of a text of so many bytes in UTF-8: what goes beyond ASCII may take two bytes for each character. */
export const textBytes = (text: string, length = Buffer.byteLength(text)) =>
  length === text.length ? length : 2 * text.length;

type Entry<V> = { value: V; cost: number };

/** Names a value on its shelf; a number is found three times as fast as a text that is made for it. */
export type Key = string | number;

/**
 * Values by shelf and key within a bound of bytes. Those used since the last change of generations are in the younger one; when it
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

  get(shelf: string, key: Key): V | undefined {
    const entry = this.#younger.get(shelf, key);
    if (entry !== undefined) return entry.value;
    const older = this.#older.take(shelf, key);
    if (older !== undefined) this.#add(shelf, key, older);
    return older?.value;
  }

  set(shelf: string, key: Key, value: V, bytes: number): void {
    const cost = bytes + (typeof key === 'string' ? key.length * 2 : 0) + OVERHEAD;
    // One value never pushes out more than an eighth of the others.
    if (cost > this.#maxBytes / 8) return;
    this.#younger.take(shelf, key);
    this.#older.take(shelf, key);
    this.#add(shelf, key, { value, cost });
  }

  #add(shelf: string, key: Key, entry: Entry<V>): void {
    if (this.#younger.bytes + entry.cost > this.#maxBytes / 2) {
      this.#older = this.#younger;
      this.#younger = new Generation();
    }
    this.#younger.add(shelf, key, entry);
  }
}

class Generation<V> {
  readonly #shelves = new Map<string, Map<Key, Entry<V>>>();
  bytes = 0;

  get(shelf: string, key: Key): Entry<V> | undefined {
    return this.#shelves.get(shelf)?.get(key);
  }

  add(shelf: string, key: Key, entry: Entry<V>): void {
    const entries = this.#shelves.get(shelf);
    if (entries) entries.set(key, entry);
    else this.#shelves.set(shelf, new Map([[key, entry]]));
    this.bytes += entry.cost;
  }

  /** The entry of a key, which is no longer kept here. */
  take(shelf: string, key: Key): Entry<V> | undefined {
    const entries = this.#shelves.get(shelf);
    const entry = entries?.get(key);
    if (entries === undefined || entry === undefined) return undefined;
    entries.delete(key);
    if (entries.size === 0) this.#shelves.delete(shelf);
    this.bytes -= entry.cost;
    return entry;
  }
}
