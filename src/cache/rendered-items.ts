import { PublicError } from '../errors.ts';
import { ByteBoundedCache, type Key, textBytes } from './byte-bounded-cache.ts';

/** JSON text that replaces, in a response, the value it was rendered from. */
class RenderedItem {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }

  /** For plain `JSON.stringify`, as the schema checks of tests call it. */
  toJSON(): unknown {
    return JSON.parse(this.json);
  }
}

/** Thrown when the chain was reorganized between two statements of one response; a retry succeeds. */
export class ReorgDuringRead extends PublicError {
  constructor() {
    super(503, 'The chain was reorganized while the response was read; try again');
  }
}

/** The revision at which an item was read; null while the item may still change. */
type Versioned = { version: string | null };

/** How the items of a list are identified, and rendered where the cache has none. */
export type ItemSource<K, Row, T> = {
  /** Which rendering of which items: with the version, the namespace of the cache. */
  namespace: string;
  /** Identifies an item in its namespace. */
  keyOf(listed: K): Key;
  /** Reads the rows of all missing items at once, in their order. */
  read(missing: readonly K[]): Promise<readonly Row[]>;
  render(row: Row, listed: K): T;
};

/**
 * Rendered list items within a bound of bytes. An item is rendered once and reused in many responses: a transaction is in
 * the lists of its block, of its sender and of all, and in most of them still after the next block.
 */
export class RenderedItemCache {
  readonly #items: ByteBoundedCache<RenderedItem>;
  hits = 0;
  misses = 0;

  constructor(maxBytes: number) {
    this.#items = new ByteBoundedCache(maxBytes);
  }

  get bytes(): number {
    return this.#items.bytes;
  }

  /** The rendered items of a list, in their order: those missing from the cache are read by one statement and rendered. */
  async render<K extends Versioned, Row extends Versioned, T>(
    listed: readonly K[],
    { namespace, keyOf, read, render }: ItemSource<K, Row, T>,
  ): Promise<T[]> {
    const namespaces = namespacesOf(namespace, listed);
    const items = listed.map((entry, i) => {
      const name = namespaces[i];
      return name === undefined ? undefined : this.#items.get(name, keyOf(entry));
    });
    const missing = listed.filter((_, i) => items[i] === undefined);
    this.hits += listed.length - missing.length;
    this.misses += missing.length;
    const rows = missing.length === 0 ? [] : await read(missing);
    assertSameVersion(rows, missing);
    const unread = rows.values();
    return items.map((cached, i) => {
      if (cached !== undefined) return cached as T;
      const item = itemOf(render(unread.next().value!, listed[i]!));
      const name = namespaces[i];
      if (name !== undefined) this.#items.set(name, keyOf(listed[i]!), item, textBytes(item.json));
      return item as T;
    });
  }
}

/** The versioned namespace of each item; none for items without a version. The items of a list mostly share one. */
function namespacesOf(namespace: string, listed: readonly Versioned[]): (string | undefined)[] {
  const byVersion = new Map<string, string>();
  return listed.map(({ version }) => {
    if (version === null) return undefined;
    const known = byVersion.get(version);
    if (known !== undefined) return known;
    const versioned = `${namespace} ${version}`;
    byVersion.set(version, versioned);
    return versioned;
  });
}

const itemOf = (value: unknown) => new RenderedItem(hasItems(value) ? itemJson(value) : JSON.stringify(value));

/** The rows must have the versions that the list named. */
function assertSameVersion(read: readonly Versioned[], listed: readonly Versioned[]): void {
  if (read.length !== listed.length || read.some((row, i) => row.version !== listed[i]!.version)) {
    throw new ReorgDuringRead();
  }
}

/** The JSON of a response. List items that are rendered, or hold rendered items, are inserted as they are. */
export function jsonOf(response: unknown): string {
  return isList(response) ? listJson(response) : JSON.stringify(response);
}

function isList(response: unknown): response is object {
  if (typeof response !== 'object' || response === null) return false;
  // Most responses are large objects without a list: an array of their values would cost more than half of what their JSON does.
  for (const key in response) if (isListOfItems((response as Record<string, unknown>)[key])) return true;
  return false;
}

const isListOfItems = (value: unknown): value is unknown[] => Array.isArray(value) && hasItems(value[0]);

/** Joins once: a concatenated string is copied when its bytes are counted, and again when it is sent. */
function listJson(response: object): string {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(response)) {
    const name = `${parts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`;
    if (isListOfItems(value)) {
      parts.push(name);
      for (const [i, entry] of value.entries()) parts.push(i === 0 ? '[' : ',', itemJson(entry));
      parts.push(']');
    } else if (value !== undefined) parts.push(name, JSON.stringify(value));
  }
  parts.push('}');
  return parts.join('');
}

const hasItems = (entry: unknown): boolean =>
  entry instanceof RenderedItem ||
  (typeof entry === 'object' && entry !== null && Object.values(entry).some(value => value instanceof RenderedItem));

const itemJson = (entry: unknown): string => (entry instanceof RenderedItem ? entry.json : objectJson(entry as object));

/** An object some of whose values are rendered items; undefined values are left out. */
function objectJson(object: object): string {
  let text = '';
  for (const [key, value] of Object.entries(object)) {
    const json = value instanceof RenderedItem ? value.json : JSON.stringify(value);
    if (json !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${json}`;
  }
  return `{${text}}`;
}
