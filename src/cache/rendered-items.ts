import { PublicError } from '../errors.ts';
import { type Key, RecentlyUsed, textBytes } from './recently-used.ts';

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

/** What tells an entry from any other that ever stood in its place; null while it may still change. */
type Versioned = { version: string | null };

/** How the entries of a list are named, and made where they are not kept. */
export type PieceSource<K, Row, T> = {
  /** What the entries are, and whose: with the version, the shelf they are kept on. */
  form: string;
  /** The place of an entry. */
  keyOf(listed: K): Key;
  /** Reads what entries are made of, all at once and in their order. */
  read(missing: readonly K[]): Promise<readonly Row[]>;
  render(row: Row, listed: K): T;
};

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

  /** A piece for each entry of a list, in their order: those that are not kept are made. */
  async gather<K extends Versioned, Row extends Versioned, T>(
    listed: readonly K[],
    { form, keyOf, read, render }: PieceSource<K, Row, T>,
  ): Promise<T[]> {
    const shelves = shelvesOf(form, listed);
    const pieces = listed.map((entry, i) => {
      const shelf = shelves[i];
      return shelf === undefined ? undefined : this.#texts.get(shelf, keyOf(entry));
    });
    const missing = listed.filter((_, i) => pieces[i] === undefined);
    this.hits += listed.length - missing.length;
    this.misses += missing.length;
    const rows = missing.length === 0 ? [] : await read(missing);
    assertUnmoved(rows, missing);
    const unread = rows.values();
    return pieces.map((kept, i) => {
      if (kept !== undefined) return kept as T;
      const piece = pieceOf(render(unread.next().value!, listed[i]!));
      const shelf = shelves[i];
      if (shelf !== undefined) this.#texts.set(shelf, keyOf(listed[i]!), piece, textBytes(piece.json));
      return piece as T;
    });
  }
}

/** The shelf of each entry; none for those without a version. The entries of a list mostly share one. */
function shelvesOf(form: string, listed: readonly Versioned[]): (string | undefined)[] {
  const shelves = new Map<string, string>();
  return listed.map(({ version }) => {
    if (version === null) return undefined;
    const known = shelves.get(version);
    if (known !== undefined) return known;
    const shelf = `${form} ${version}`;
    shelves.set(version, shelf);
    return shelf;
  });
}

const pieceOf = (value: unknown) => new Piece(hasPieces(value) ? entryJson(value) : JSON.stringify(value));

/** What was read for the entries of a list must be what the list named. */
function assertUnmoved(read: readonly Versioned[], listed: readonly Versioned[]): void {
  if (read.length !== listed.length || read.some((row, i) => row.version !== listed[i]!.version)) {
    throw new ChainMoved();
  }
}

/** The JSON of an answer. The entries of a list may be pieces or hold some: these are put in as they are. */
export function jsonOf(answer: unknown): string {
  return isList(answer) ? listJson(answer) : JSON.stringify(answer);
}

const isList = (answer: unknown): answer is object =>
  typeof answer === 'object' && answer !== null && Object.values(answer).some(isListOfPieces);

const isListOfPieces = (value: unknown): value is unknown[] => Array.isArray(value) && hasPieces(value[0]);

/** All is joined at once: text that is added to text is copied once more when it is counted, and again when it is sent. */
function listJson(answer: object): string {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(answer)) {
    const name = `${parts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`;
    if (isListOfPieces(value)) {
      parts.push(name);
      for (const [i, entry] of value.entries()) parts.push(i === 0 ? '[' : ',', entryJson(entry));
      parts.push(']');
    } else if (value !== undefined) parts.push(name, JSON.stringify(value));
  }
  parts.push('}');
  return parts.join('');
}

const hasPieces = (entry: unknown): boolean =>
  entry instanceof Piece ||
  (typeof entry === 'object' && entry !== null && Object.values(entry).some(value => value instanceof Piece));

const entryJson = (entry: unknown): string => (entry instanceof Piece ? entry.json : objectJson(entry as object));

/** An object some of whose values are pieces; those without JSON are left out, as JSON has it. */
function objectJson(object: object): string {
  let text = '';
  for (const [key, value] of Object.entries(object)) {
    const json = value instanceof Piece ? value.json : JSON.stringify(value);
    if (json !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${json}`;
  }
  return `{${text}}`;
}
