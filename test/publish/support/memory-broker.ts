import { positionText } from '../../../src/chain/position.ts';
import type { Broker, BrokerOpener, LastMessage } from '../../../src/publish/broker.ts';
import type { Message } from '../../../src/publish/messages.ts';
import { Forgotten, Trouble } from '../../../src/publish/trouble.ts';
import type { StoredMessage } from './nats-server.ts';

/** A stream that keeps its messages in memory, and does with them what a server does. */
export class MemoryStream {
  messages: StoredMessage[] = [];
  sequence = 0;
  /** What `publish` does first; a test makes it fail here. */
  before: (message: Message) => void = () => {};
  connections = 0;
  readonly #ids = new Set<string>();
  #cut: () => void = () => {};

  readonly open: BrokerOpener = async () => {
    this.connections++;
    let end = () => {};
    const closed = new Promise<void>(resolve => {
      end = resolve;
    });
    this.#cut = end;
    const broker: Broker = {
      closed,
      place: async () => ({ sequence: this.sequence, last: this.#last() }),
      publish: async (message, after) => this.#store(message, after),
      close: async () => end(),
    };
    return broker;
  };

  /** Ends the open connection. */
  cut(): void {
    this.#cut();
  }

  get ids(): string[] {
    return this.messages.map(({ id }) => id);
  }

  #last(): LastMessage | undefined {
    const last = this.messages.at(-1);
    if (!last) return undefined;
    const [part, parts] = last.part.split('/').map(Number);
    return { position: last.position, after: last.after, part: part!, parts: parts! };
  }

  #store(message: Message, after: number): void {
    this.before(message);
    if (this.#ids.has(message.id)) throw new Forgotten(message.id);
    if (after !== this.sequence) throw new Trouble('other_writer', `expected ${after}, but it is ${this.sequence}`);
    this.#ids.add(message.id);
    this.messages.push({
      sequence: ++this.sequence,
      subject: `cairn.${message.topic}`,
      id: message.id,
      position: positionText(message.position),
      after: positionText(message.after),
      part: `${message.part}/${message.parts}`,
      body: JSON.parse(message.body),
    });
  }
}
