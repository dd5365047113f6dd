import { PublicError } from '../errors.ts';

/** Places for requests that are worked on; beyond them requests fail at once instead of queueing. */
export class Places {
  readonly #max: number;
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  take(): void {
    if (this.#taken >= this.#max) throw new PublicError(503, 'The service is busy; try again in a moment');
    this.#taken++;
  }

  leave(): void {
    this.#taken--;
  }
}
