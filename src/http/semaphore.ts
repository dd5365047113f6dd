import { PublicError } from '../errors.ts';

export type SemaphoreLimits = {
  /** Maximum number of concurrent calls. */
  atOnce: number;
  /** Maximum queue length; further calls get 503. A call whose client has disconnected stays in the queue. */
  waiting: number;
};

/** Limits concurrent work; the rest waits in order of arrival. */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#working < this.#limits.atOnce) this.#working++;
    else await this.#wait();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#working--;
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#limits.waiting) {
      throw new PublicError(503, 'The service is busy; try again in a moment');
    }
    return new Promise(resolve => this.#waiting.push(resolve));
  }
}
