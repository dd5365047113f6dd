import type { TipSource } from '../cache/tip-cache.ts';
import { PublicError } from '../errors.ts';

export type HeightQueueOptions = {
  tip: TipSource;
  /** How long a request waits for a height that it has seen elsewhere. */
  waitMs: number;
  /** How many requests may wait at once; more get 503. */
  maxWaiting: number;
};

/** Requests that wait for a height. */
export class HeightQueue {
  readonly #options: HeightQueueOptions;
  #waiting = 0;

  constructor(options: HeightQueueOptions) {
    this.#options = options;
  }

  async until(height: number): Promise<void> {
    const { tip, waitMs, maxWaiting } = this.#options;
    if (this.#waiting >= maxWaiting) throw new PublicError(503, 'The service is busy; try again in a moment');
    this.#waiting++;
    try {
      if (await tip.reachHeight?.(height, waitMs)) return;
    } finally {
      this.#waiting--;
    }
    const at = tip.current ? `it is at ${tip.current.height}` : 'the tip cannot be read';
    throw new PublicError(503, `This server has not reached block height ${height} yet (${at}); try again in a moment`);
  }
}
