import { PublicError } from '../errors.ts';
import { RecentlyUsed, textBytes } from './recently-used.ts';

/** Text that is JSON already and stands in an answer for the value it was made of. */
class Piece {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }

  /** Where an answer is put together without regard to pieces, as the checks of tests do. */
  toJSON(): unknown {
    return JSON.parse(this.json);
  }
}

/** Thrown where the chain was reorganized between two questions of one answer: asked anew, it is answered. */
export class ChainMoved extends PublicError {
  constructor() {
    super(503, 'The chain was reorganized while the answer was read; try again');
  }
}

type Versioned = { version: string | null };

/** What was read for the entries of a list must be what the list named. */
export function assertUnmoved(read: readonly Versioned[], listed: readonly Versioned[]): void {
  if (read.length !== listed.length || read.some((row, i) => row.version !== listed[i]!.version)) {
    throw new ChainMoved();
  }
}

/**
 * Parts of answers that are rendered once and shown in many: a transaction stands in the lists of its block, of its
 * sender and of all, and in most of them still when the next block has come.
 */
export class Pieces {
  readonly #texts: RecentlyUsed<Piece>;
  hits = 0;
  misses = 0;

  constructor(maxBytes: number) {
    this.#texts = new RecentlyUsed(maxBytes);
  }

  get bytes(): number {
    return this.#texts.bytes;
  }

  /**
   * A piece for each key, in their order. `render` makes those that are not kept, all at once and in the order it is
   * given them; a key without a name is made anew each time.
   */
  async gather<K, T>(
    keys: readonly K[],
    nameOf: (key: K) => string | undefined,
    render: (missing: K[]) => Promise<readonly T[]>,
  ): Promise<T[]> {
    const names = keys.map(nameOf);
    const pieces = names.map(name => (name === undefined ? undefined : this.#texts.get(name)));
    const missing = keys.filter((_, i) => pieces[i] === undefined);
    this.hits += keys.length - missing.length;
    this.misses += missing.length;
    const made = (missing.length === 0 ? [] : await render(missing)).values();
    return pieces.map((piece, i) => (piece ?? this.#make(names[i], made.next().value)) as T);
  }

  #make(name: string | undefined, value: unknown): Piece {
    const piece = new Piece(hasPieces(value) ? entryJson(value) : JSON.stringify(value));
    if (name !== undefined) this.#texts.set(name, piece, textBytes(piece.json));
    return piece;
  }
}

/** The JSON of an answer. The entries of a list may be pieces or hold some: these are put in as they are. */
export function jsonOf(answer: unknown): string {
  const results = (answer as { results?: unknown } | null | undefined)?.results;
  return Array.isArray(results) && hasPieces(results[0])
    ? objectJson(answer as object, arrayJson)
    : JSON.stringify(answer);
}

const hasPieces = (entry: unknown): boolean =>
  entry instanceof Piece ||
  (typeof entry === 'object' && entry !== null && Object.values(entry).some(value => value instanceof Piece));

const arrayJson = (value: unknown): string | undefined =>
  Array.isArray(value) ? `[${value.map(entryJson).join(',')}]` : JSON.stringify(value);

const entryJson = (entry: unknown): string =>
  entry instanceof Piece
    ? entry.json
    : objectJson(entry as object, value => (value instanceof Piece ? value.json : JSON.stringify(value)));

/** An object whose values are written by `jsonOfValue`; those without JSON are left out, as JSON has it. */
function objectJson(object: object, jsonOfValue: (value: unknown) => string | undefined): string {
  let text = '';
  for (const [key, value] of Object.entries(object)) {
    const json = jsonOfValue(value);
    if (json !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${json}`;
  }
  return `{${text}}`;
}
