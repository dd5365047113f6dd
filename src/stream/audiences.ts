import type { Position } from '../chain/position.ts';
import { PublicError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Changes, Feed } from './feed.ts';
import { Audience, keyOf, type Reader, type StepSource } from './reader.ts';
import type { RenderedMessage } from './rendered-message.ts';
import type { Turns } from './turns.ts';
import { messageOf } from './view.ts';

export type AudiencesOptions = {
  feed: Feed;
  source: StepSource;
  turns: Turns;
  log: Log;
  /** Called for each message that was written to a reader. */
  onMessage: () => void;
  /** Called with the position that the readers of an audience have come to. */
  onPosition: (position: Position) => void;
  /** Called once for each reader; `failed` if its position could not be continued. */
  onEnd: (reader: Reader, failed: boolean) => void;
};

/** A read that failed is tried again after this time. */
const TRY_AGAIN_MS = 1_000;

const isOfServer = ({ status }: PublicError) => status >= 500;

/** Trying again would not help. */
const isOfClient = (error: unknown): error is PublicError => error instanceof PublicError && !isOfServer(error);

/**
 * All readers of a process. Those who share view and position wait together, and move together; one that does not take what it is sent
 * goes on alone, at its own pace, until it has what the others had then.
 */
export class Audiences {
  readonly #options: AudiencesOptions;
  /** Audiences that wait for the chain, by view and position. Those that are moving are not among them: nobody can join these. */
  readonly #waiting = new Map<string, Audience>();
  readonly #unwatch: (() => void) | undefined;

  constructor(options: AudiencesOptions) {
    this.#options = options;
    this.#unwatch = options.source.watch?.(() => this.#wake());
  }

  /** Readers get nothing more. */
  stop(): void {
    this.#unwatch?.();
  }

  /** Sends a reader what follows its position, until it is ended. */
  join(reader: Reader): void {
    if (reader.ended) return;
    const others = this.#waiting.get(keyOf(reader));
    const audience = others ?? new Audience(reader.view, reader.position);
    reader.join(audience);
    if (!others) this.#goOn(audience);
  }

  end(reader: Reader, failed = false): void {
    if (reader.ended) return;
    reader.ended = true;
    const { audience } = reader;
    reader.leave(reader.position);
    this.#options.onEnd(reader, failed);
    if (audience?.readers.size !== 0) return;
    const { key } = audience;
    if (this.#waiting.get(key) === audience) this.#waiting.delete(key);
  }

  /** The chain has changed; a restored database continues at a lower number. */
  #wake(): void {
    const { current } = this.#options.source;
    if (current === undefined) return;
    for (const [key, audience] of this.#waiting) {
      if (audience.upTo === current.seq) continue;
      this.#waiting.delete(key);
      void this.#move(audience);
    }
  }

  /** Moves on if there is more, or waits for the chain, together with others who have come to the same position. */
  #goOn(audience: Audience): void {
    const { current } = this.#options.source;
    if (audience.readers.size === 0) return;
    if (current !== undefined && current.seq > (audience.upTo ?? -1)) return void this.#move(audience);
    const { key } = audience;
    const others = this.#waiting.get(key);
    if (!others) this.#waiting.set(key, audience);
    else for (const reader of audience.readers) reader.join(others);
  }

  async #move(audience: Audience): Promise<void> {
    const { feed, source, turns, log } = this.#options;
    const { view } = audience;
    try {
      const changes = await feed.after(audience.position, view.needs, source.current);
      const messages = changes.steps.map(step => messageOf(step, view)).filter(message => message !== undefined);
      turns.add(this.#send(audience, changes, messages));
    } catch (error) {
      if (isOfClient(error)) return this.#fail(audience, error);
      log.warn({ err: error }, 'a stream cannot be read; trying again');
      audience.upTo = undefined;
      setTimeout(() => this.#goOn(audience), TRY_AGAIN_MS).unref();
    }
  }

  /** Writes to one reader in each step, and goes on after the last one. */
  *#send(audience: Audience, { position, upTo }: Changes, messages: readonly RenderedMessage[]): Iterator<void> {
    if (messages.length > 0)
      for (const reader of audience.readers) {
        const rest = this.#write(reader, messages);
        if (rest) void this.#catchUp(reader, rest, position);
        yield;
      }
    audience.position = position;
    audience.upTo = upTo;
    this.#options.onPosition(position);
    this.#goOn(audience);
  }

  /** The messages that the reader has no room for yet; it leaves its audience then. Undefined if it has room for more than all of them. */
  #write(reader: Reader, messages: readonly RenderedMessage[]): readonly RenderedMessage[] | undefined {
    for (const [index, message] of messages.entries()) {
      const hasRoom = reader.to.write(message);
      this.#options.onMessage();
      if (hasRoom) continue;
      reader.leave(message.position);
      return messages.slice(index + 1);
    }
    return undefined;
  }

  /** Writes the rest of what others have already, as fast as the reader takes it. */
  async #catchUp(reader: Reader, messages: readonly RenderedMessage[], position: Position): Promise<void> {
    for (let rest: readonly RenderedMessage[] | undefined = messages; rest; rest = this.#write(reader, rest)) {
      if (!(await reader.to.drained())) this.end(reader);
      if (reader.ended) return;
    }
    reader.leave(position);
    this.join(reader);
  }

  #fail(audience: Audience, { body }: PublicError): void {
    for (const reader of audience.readers) {
      reader.to.fail(body);
      this.end(reader, true);
    }
  }
}
