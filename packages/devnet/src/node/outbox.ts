import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, messageText } from '../chain/message-text.ts';

export type OutboxOptions = {
  /** The observer's URL; undefined discards all messages. */
  observer: string | undefined;
  timeoutMs?: number;
  onFailure?: (reason: string) => void;
};

/** A message in the form in which it is sent. */
export type EncodedMessage = { path: string; text: string };

export const encodeMessage = ({ path, body }: Message): EncodedMessage => ({ path, text: messageText(body) });

const firstPauseMs = 100;
const longestPauseMs = 3000;

/** Posts messages in order, and repeats each until the observer responds 200 (at least once, as a node does). */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #messages: EncodedMessage[] = [];
  #sending: Promise<void> | undefined;
  #stopped = false;
  sent = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Messages that the observer has not acknowledged. */
  get pending(): readonly EncodedMessage[] {
    return this.#messages;
  }

  send(message: EncodedMessage): void {
    if (this.#options.observer === undefined || this.#stopped) return;
    this.#messages.push(message);
    this.#sending ??= this.#work();
  }

  /** Resolves when every message is acknowledged, or at `stop`. */
  async drained(): Promise<void> {
    await this.#sending;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#sending;
  }

  async #work(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (this.#messages.length > 0 && !this.#stopped) {
      if (await this.#deliver(this.#messages[0]!)) {
        this.#messages.shift();
        this.sent++;
        pauseMs = firstPauseMs;
      } else {
        await sleep(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
    this.#sending = undefined;
  }

  async #deliver({ path, text }: EncodedMessage): Promise<boolean> {
    const { observer, timeoutMs = 10_000, onFailure } = this.#options;
    try {
      const response = await fetch(`${observer}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.arrayBuffer();
      if (response.status === 200) return true;
      onFailure?.(`${path}: the observer responded ${response.status}`);
    } catch (error) {
      onFailure?.(`${path}: ${(error as Error).message}`);
    }
    return false;
  }
}
