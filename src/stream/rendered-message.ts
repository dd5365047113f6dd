import { type Position, positionText } from '../chain/position.ts';

/** A message as JSON, and as a Server-Sent Event that any number of clients receive as the same bytes. */
export class RenderedMessage {
  readonly json: string;
  readonly position: Position;
  #event: Buffer | undefined;

  constructor(json: string, position: Position) {
    this.json = json;
    this.position = position;
  }

  get event(): Buffer {
    // The type is the first key of every message.
    const type = /^\{"type":"(\w+)"/.exec(this.json)![1];
    this.#event ??= Buffer.from(`event: ${type}\nid: ${positionText(this.position)}\ndata: ${this.json}\n\n`);
    return this.#event;
  }
}
