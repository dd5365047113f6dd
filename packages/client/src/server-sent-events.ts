/** One event of a stream; without `data` only the id moves on. */
export type ServerSentEvent = { id: string | undefined; event: string; data: string | undefined };

/** More than the service ever sends in one event. */
const MAX_EVENT = 256 << 20;

/** Splits the text of a stream into events (WHATWG HTML, 9.2.6). */
export class EventParser {
  #text = '';
  #id: string | undefined;
  #event = '';
  #data: string[] = [];

  /** The events that end in this piece of text. */
  push(piece: string): ServerSentEvent[] {
    this.#text += piece;
    if (this.#text.length > MAX_EVENT) throw new Error('the stream sent an event without an end');
    const lines = this.#text.split('\n');
    this.#text = lines.pop()!;
    return lines.flatMap(line => this.#line(line.endsWith('\r') ? line.slice(0, -1) : line));
  }

  #line(line: string): ServerSentEvent[] {
    if (line === '') return this.#end();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'id') this.#id = value;
    else if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
    return [];
  }

  #end(): ServerSentEvent[] {
    const ended = {
      id: this.#id,
      event: this.#event === '' ? 'message' : this.#event,
      data: this.#data.length === 0 ? undefined : this.#data.join('\n'),
    };
    this.#event = '';
    this.#data = [];
    return ended.id === undefined && ended.data === undefined ? [] : [ended];
  }
}
