import { brotliCompressSync, constants } from 'node:zlib';
import { EventItems } from './event-items.ts';
import { maxDepth } from './message-depth.ts';
import { MessageError } from './message-error.ts';

/** Bytes of events that are parsed together. */
const partBytes = 256 << 10;
const compression = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const key = Buffer.from('events');

/** What a byte outside of texts does: 0 nothing, 1 opens, 2 closes, 3 begins a text, 4 separates. */
const kinds = new Uint8Array(256);
for (const byte of Buffer.from('[{')) kinds[byte] = 1;
for (const byte of Buffer.from(']}')) kinds[byte] = 2;
kinds[quote] = 3;
kinds[comma] = 4;
const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** What may come next at the outermost level: any key, or the colon and then the bracket of the list of events. */
type Awaited = 'key' | 'colon' | 'list';

/**
 * Takes a large message as it arrives: what is outside of the outermost list `events` as text, and the events in compressed
 * parts. The whole message is never held.
 */
export class MessageSplitter {
  readonly #outside: Buffer[] = [];
  readonly #parts: Buffer[] = [];
  #open: Buffer[] = [];
  #openBytes = 0;
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** Bytes of the text that match the key of the events so far; -1 if it is another text. */
  #matched = -1;
  #awaited: Awaited = 'key';
  /** The list is open, at depth 2. */
  #inside = false;
  #found = false;

  push(chunk: Buffer): void {
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      if (this.#inText) i = this.#passText(chunk, i);
      if (i >= chunk.length) break;
      const byte = chunk[i]!;
      const kind = kinds[byte]!;
      if (kind === 0) {
        if (this.#awaited !== 'key') this.#awaited = this.#afterKey(byte);
        continue;
      }
      const begins = this.#awaited === 'list' && byte === openBracket;
      this.#awaited = 'key';
      if (kind === 1) {
        if (++this.#depth > maxDepth) throw new MessageError(`the body is nested deeper than ${maxDepth} levels`);
        if (!begins) continue;
        this.#beginList(chunk.subarray(from, i + 1));
        from = i + 1;
      } else if (kind === 2) {
        this.#depth--;
        if (!this.#inside || this.#depth !== 1) continue;
        this.#endPart(chunk.subarray(from, i));
        this.#inside = false;
        from = i;
      } else if (kind === 3) {
        this.#inText = true;
        this.#matched = this.#depth === 1 && !this.#inside ? 0 : -1;
      } else if (this.#inside && this.#depth === 2 && this.#openBytes + i - from >= partBytes) {
        this.#endPart(chunk.subarray(from, i));
        from = i + 1;
      }
    }
    const rest = chunk.subarray(from);
    // A copy: the chunk may be one of a reader that uses its memory again, or much larger than the rest.
    if (!this.#inside) this.#outside.push(Buffer.from(rest));
    else {
      this.#open.push(Buffer.from(rest));
      this.#openBytes += rest.length;
    }
  }

  /** The text outside of the events, and the events where there is a list of them. `parse` reads the text of a list. */
  finish(parse: (text: string) => unknown): { outside: string; events: EventItems | undefined } {
    if (this.#inside) throw new MessageError('the body is not JSON: its list of events does not end');
    const outside = Buffer.concat(this.#outside).toString('utf8');
    return { outside, events: this.#found ? new EventItems(this.#parts, parse) : undefined };
  }

  /** The place behind the end of the text that is open; the length of the chunk if it does not end there. */
  #passText(chunk: Buffer, start: number): number {
    for (let i = start; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (this.#escaped) this.#escaped = false;
      else if (byte === quote) {
        this.#inText = false;
        if (this.#matched === key.length) this.#awaited = 'colon';
        return i + 1;
      } else if (byte === backslash) {
        this.#escaped = true;
        this.#matched = -1;
      } else if (this.#matched >= 0) this.#matched = byte === key[this.#matched] ? this.#matched + 1 : -1;
    }
    return chunk.length;
  }

  #afterKey(byte: number): Awaited {
    if (isBlank(byte)) return this.#awaited;
    return this.#awaited === 'colon' && byte === colon ? 'list' : 'key';
  }

  #beginList(before: Buffer): void {
    // Of a key that comes twice a parser takes the last one; no node sends that.
    if (this.#found) throw new MessageError('the body has two lists of events');
    this.#found = true;
    this.#inside = true;
    this.#outside.push(Buffer.from(before));
  }

  #endPart(last: Buffer): void {
    this.#parts.push(brotliCompressSync(Buffer.concat([...this.#open, last]), compression));
    this.#open = [];
    this.#openBytes = 0;
  }
}
