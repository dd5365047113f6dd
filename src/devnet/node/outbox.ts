import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, messageText } from '../chain/message-text.ts';

export type OutboxOptions = {
  /** The observer; undefined keeps everything to itself. */
  observer: string | undefined;
  timeoutMs?: number;
  onTrouble?: (reason: string) => void;
};

/** A message as it is sent. */
export type Letter = { path: string; text: string };

export const letterOf = ({ path, body }: Message): Letter => ({ path, text: messageText(body) });

const firstPauseMs = 100;
const longestPauseMs = 3000;

/** Posts messages in order, each until the observer says 200: at least once, as a node does. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #letters: Letter[] = [];
  #sending: Promise<void> | undefined;
  #stopped = false;
  sent = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** What was not yet acknowledged. */
  get pending(): readonly Letter[] {
    return this.#letters;
  }

  send(letter: Letter): void {
    if (this.#options.observer === undefined || this.#stopped) return;
    this.#letters.push(letter);
    this.#sending ??= this.#work();
  }

  /** Resolves when everything is acknowledged, or at the stop. */
  async drained(): Promise<void> {
    await this.#sending;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#sending;
  }

  async #work(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (this.#letters.length > 0 && !this.#stopped) {
      if (await this.#deliver(this.#letters[0]!)) {
        this.#letters.shift();
        this.sent++;
        pauseMs = firstPauseMs;
      } else {
        await sleep(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
    this.#sending = undefined;
  }

  async #deliver({ path, text }: Letter): Promise<boolean> {
    const { observer, timeoutMs = 10_000, onTrouble } = this.#options;
    try {
      const response = await fetch(`${observer}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.arrayBuffer();
      if (response.status === 200) return true;
      onTrouble?.(`${path}: the observer said ${response.status}`);
    } catch (error) {
      onTrouble?.(`${path}: ${(error as Error).message}`);
    }
    return false;
  }
}
