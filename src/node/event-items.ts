import { brotliDecompressSync } from 'node:zlib';
import { MessageError } from './message-error.ts';

/** The events of a large message, parsed part by part each time they are listed: all at once would take several times the bytes. */
export class EventItems implements Iterable<unknown> {
  readonly #parts: readonly Buffer[];
  readonly #parse: (text: string) => unknown;

  /** The parts are compressed texts, with a comma left out between each two; `parse` reads the text of a list. */
  constructor(parts: readonly Buffer[], parse: (text: string) => unknown) {
    this.#parts = parts;
    this.#parse = parse;
  }

  *[Symbol.iterator](): Generator<unknown, void, void> {
    for (const part of this.#parts) {
      const items = this.#parse(`[${brotliDecompressSync(part).toString('utf8')}]`) as unknown[];
      if (items.length === 0 && this.#parts.length > 1) throw new MessageError('the body is not JSON');
      yield* items;
    }
  }
}
