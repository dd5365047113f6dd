import { MessageError } from './message-error.ts';
import type { EventsSpan } from './message-scan.ts';

/** The events of a large message, parsed part by part each time they are listed: all at once would take several times the bytes. */
export class EventItems implements Iterable<unknown> {
  readonly #body: Buffer;
  readonly #span: EventsSpan;
  readonly #parse: (text: string) => unknown;

  /** `parse` reads the text of a list. */
  constructor(body: Buffer, span: EventsSpan, parse: (text: string) => unknown) {
    this.#body = body;
    this.#span = span;
    this.#parse = parse;
  }

  *[Symbol.iterator](): Generator<unknown, void, void> {
    const { start, end, cuts } = this.#span;
    let from = start;
    for (const to of [...cuts, end]) {
      const part = this.#parse(`[${this.#body.toString('utf8', from, to)}]`) as unknown[];
      if (part.length === 0 && cuts.length > 0) throw new MessageError('the body is not JSON');
      yield* part;
      from = to + 1;
    }
  }
}
