import { PublicError } from '../errors.ts';

export type SemaphoreLimits = {
  /** Maximum number of concurrent calls. */
  atOnce: number;
  /** Maximum queue length; further calls get 503. A call whose client has disconnected stays in the queue. */
  waiting: number;
};

/** Limits concurrent work. Clients whose calls wait take turns, so that many calls of one do not delay those of others. */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  /** Calls that wait, by client, in the order of their arrival; the client whose turn it is comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #working = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  /** Takes a slot, at once or when it is the turn of the client; `release` returns it. */
  take(client: () => string): Promise<void> | undefined {
    if (this.#working >= this.#limits.atOnce) return this.#wait(client());
    this.#working++;
    return undefined;
  }

  /** Gives the slot to the next client. */
  release(): void {
    const next = this.#next();
    if (next) next();
    else this.#working--;
  }

  #wait(client: string): Promise<void> {
    if (this.#count >= this.#limits.waiting) {
      throw new PublicError(503, 'The service is busy; try again in a moment');
    }
    this.#count++;
    return new Promise(resolve => {
      const calls = this.#waiting.get(client);
      if (calls) calls.push(resolve);
      else this.#waiting.set(client, [resolve]);
    });
  }

  /** Takes the first call of the next client, whose others then wait behind those of all clients. */
  #next(): (() => void) | undefined {
    for (const [client, calls] of this.#waiting) {
      this.#count--;
      const call = calls.shift();
      this.#waiting.delete(client);
      if (calls.length > 0) this.#waiting.set(client, calls);
      return call;
    }
    return undefined;
  }
}
