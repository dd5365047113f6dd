/** Bytes that an entry takes in addition to its value and its key. */
const OVERHEAD = 256;

/** The memory that a string takes, given its length in UTF-8: non-ASCII strings may take two bytes for each character. */
export const textBytes = (text: string, length = Buffer.byteLength(text)) =>
  length === text.length ? length : 2 * text.length;

type Entry<V> = { value: V; cost: number };

/** Identifies a value in its namespace; the lookup of a number is three times as fast as that of a concatenated string. */
export type Key = string | number;

/**
 * Values by namespace and key within a bound of bytes. Entries used since the last rotation are in the younger generation.
 * When it holds half of the bytes, it becomes the older one, and the entries of the previous older one are dropped. A list
 * in the order of use would write on every read, and a Map holds the memory of deleted entries.
 */
export class ByteBoundedCache<V> {
  readonly #maxBytes: number;
  #younger = new Generation<V>();
  #older = new Generation<V>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#younger.bytes + this.#older.bytes;
  }

  get(namespace: string, key: Key): V | undefined {
    const entry = this.#younger.get(namespace, key);
    if (entry !== undefined) return entry.value;
    const older = this.#older.remove(namespace, key);
    if (older !== undefined) this.#add(namespace, key, older);
    return older?.value;
  }

  set(namespace: string, key: Key, value: V, bytes: number): void {
    const cost = bytes + (typeof key === 'string' ? key.length * 2 : 0) + OVERHEAD;
    // One value never evicts more than an eighth of the others.
    if (cost > this.#maxBytes / 8) return;
    this.#younger.remove(namespace, key);
    this.#older.remove(namespace, key);
    this.#add(namespace, key, { value, cost });
  }

  clear(): void {
    this.#younger = new Generation();
    this.#older = new Generation();
  }

  #add(namespace: string, key: Key, entry: Entry<V>): void {
    if (this.#younger.bytes + entry.cost > this.#maxBytes / 2) {
      this.#older = this.#younger;
      this.#younger = new Generation();
    }
    this.#younger.add(namespace, key, entry);
  }
}

class Generation<V> {
  readonly #namespaces = new Map<string, Map<Key, Entry<V>>>();
  bytes = 0;

  get(namespace: string, key: Key): Entry<V> | undefined {
    return this.#namespaces.get(namespace)?.get(key);
  }

  add(namespace: string, key: Key, entry: Entry<V>): void {
    const entries = this.#namespaces.get(namespace);
    if (entries) entries.set(key, entry);
    else this.#namespaces.set(namespace, new Map([[key, entry]]));
    this.bytes += entry.cost;
  }

  /** Removes an entry and returns it. */
  remove(namespace: string, key: Key): Entry<V> | undefined {
    const entries = this.#namespaces.get(namespace);
    const entry = entries?.get(key);
    if (entries === undefined || entry === undefined) return undefined;
    entries.delete(key);
    if (entries.size === 0) this.#namespaces.delete(namespace);
    this.bytes -= entry.cost;
    return entry;
  }
}
