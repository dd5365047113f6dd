import { createHash } from 'node:crypto';
import { Prefix } from '@cairn-stacks/codec/clarity/prefix';
import { skipClarity } from '@cairn-stacks/codec/clarity/skip';
import { CodecError } from '@cairn-stacks/codec/error';
import { readClarityName } from '@cairn-stacks/codec/name';
import { Reader } from '@cairn-stacks/codec/reader';
import { topicFields } from './print-topic.ts';

/** What prints of one kind have in common. */
export type PrintShape = {
  /** The text by which they name their kind, as UTF-8; undefined where they name none, or one of more than 128 bytes. */
  topic: Uint8Array | undefined;
  /** A line `PATH TYPE` for each field, in the order of the value; the path of a value that is no tuple is empty. */
  fields: string;
  /** Identifies topic and fields among the shapes of a contract. */
  id: bigint;
};

/** A path leads as far as one of a filter on printed values. */
const MAX_DEPTH = 8;
/** Characters of all lines; further fields are left out. */
const MAX_LENGTH = 2000;
const MAX_TOPIC = 128;
/** The line behind which fields were left out. */
export const moreFields = '…';

/** The shape of a printed value; undefined if its bytes are of a type that this program does not know. */
export function printShape(value: Uint8Array): PrintShape | undefined {
  const walk = new Walk(value);
  try {
    walk.value('', '', '', 0);
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
  const topic = walk.topic();
  const { fields } = walk;
  return { topic, fields, id: idOf(topic, fields) };
}

/** The names of types in a schema, by the prefix of their values. */
const leafTypes: ReadonlyMap<number, string> = new Map([
  [Prefix.int, 'int'],
  [Prefix.uint, 'uint'],
  [Prefix.buffer, 'buff'],
  [Prefix.true, 'bool'],
  [Prefix.false, 'bool'],
  [Prefix.standardPrincipal, 'principal'],
  [Prefix.contractPrincipal, 'principal'],
  [Prefix.none, 'none'],
  [Prefix.stringAscii, 'string-ascii'],
  [Prefix.stringUtf8, 'string-utf8'],
]);

const wrappers: ReadonlyMap<number, string> = new Map([
  [Prefix.some, '(optional '],
  [Prefix.ok, '(ok '],
  [Prefix.err, '(err '],
]);

/** One pass over the bytes of a value: every print of the chain takes it, so nothing is built but the text. */
class Walk {
  readonly #reader: Reader;
  fields = '';
  #full = false;
  /** Where the text of each of `topicFields` lies; a printed text is its own topic. */
  readonly #topics: ([start: number, end: number] | undefined)[] = [];

  constructor(bytes: Uint8Array) {
    this.#reader = new Reader(bytes);
  }

  topic(): Uint8Array | undefined {
    const found = this.#topics.find(range => range !== undefined);
    if (!found || found[1] - found[0] > MAX_TOPIC) return undefined;
    return this.#reader.bytes.subarray(...found);
  }

  /** Adds the lines of one value and moves past it; `open` and `close` are what its type is wrapped in. */
  value(path: string, open: string, close: string, depth: number): void {
    const reader = this.#reader;
    const start = reader.offset;
    const prefix = reader.u8();
    const wrapper = wrappers.get(prefix);
    if (wrapper !== undefined && open.length < MAX_LENGTH) {
      this.value(path, open + wrapper, `)${close}`, depth);
    } else if (prefix === Prefix.tuple) {
      this.#entries(path, open, close, depth);
    } else if (prefix === Prefix.list && open.length < MAX_LENGTH) {
      this.#items(path, open, close, depth);
    } else {
      reader.offset = start;
      skipClarity(reader);
      if (depth === 0 && open === '' && isText(prefix)) this.#topics[0] = [start + 5, reader.offset];
      this.#add(path, `${open}${leafTypes.get(prefix) ?? moreFields}${close}`);
    }
  }

  #entries(path: string, open: string, close: string, depth: number): void {
    const reader = this.#reader;
    const outermost = depth === 0 && open === '';
    if (!outermost) this.#add(path, `${open}tuple${close}`);
    const before = path === '' ? '' : `${path}.`;
    for (let left = reader.count(3); left > 0; left--) {
      const name = readClarityName(reader);
      if (outermost && isText(reader.bytes[reader.offset]!)) this.#note(name);
      if (depth < MAX_DEPTH && !this.#full) this.value(before + name, '', '', depth + 1);
      else this.#leaveOut();
    }
  }

  /** The items of a list have one type: the first one stands for all. */
  #items(path: string, open: string, close: string, depth: number): void {
    const reader = this.#reader;
    const count = reader.count(1);
    if (count === 0) this.#add(path, `${open}(list)${close}`);
    else this.value(path, `${open}(list `, `)${close}`, depth);
    for (let left = count - 1; left > 0; left--) skipClarity(reader);
  }

  /** Remembers where the text begins and ends that follows here, if its name is one of a topic. */
  #note(name: string): void {
    const rank = (topicFields as readonly string[]).indexOf(name);
    if (rank < 0) return;
    const reader = this.#reader;
    const start = reader.offset;
    skipClarity(reader);
    this.#topics[rank] = [start + 5, reader.offset];
    reader.offset = start;
  }

  #leaveOut(): void {
    if (!this.#full) this.fields += `\n${moreFields}`;
    this.#full = true;
    skipClarity(this.#reader);
  }

  #add(path: string, type: string): void {
    if (this.#full) return;
    if (this.fields.length + path.length + type.length > MAX_LENGTH) {
      this.fields += `\n${moreFields}`;
      this.#full = true;
      return;
    }
    this.fields += `${this.fields === '' ? '' : '\n'}${path} ${type}`;
  }
}

const isText = (prefix: number) => prefix === Prefix.stringAscii || prefix === Prefix.stringUtf8;

/** Ids of the shapes that were met last: nearly every print has one of few. */
const known = new Map<string, bigint>();
const MAX_KNOWN = 5000;

function idOf(topic: Uint8Array | undefined, fields: string): bigint {
  const text = topic === undefined ? fields : `${Buffer.from(topic).toString('latin1')}\n\n${fields}`;
  const found = known.get(text);
  if (found !== undefined) return found;
  const id = createHash('sha256').update(text).digest().readBigInt64BE(0);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, id);
  return id;
}
