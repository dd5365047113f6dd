import { PublicError } from '../../errors.ts';

export type TurnLimits = {
  /** Who works at the same time. */
  atOnce: number;
  /** Who waits; whoever comes beyond is refused. A client that left has its place until its turn came. */
  waiting: number;
};

/** Lets so many work at once; the others wait in the order they came. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
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
