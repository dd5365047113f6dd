import { PublicError } from '../../errors.ts';

/** An error in the shape that callers of faucets know. */
export const faucetError = (status: number, error: string, more: Record<string, unknown> = {}) =>
  new PublicError(status, error, { error, ...more, success: false });

export const unavailable = () => faucetError(503, 'Faucet is temporarily unavailable, please try again later');
export const outOfFunds = () => faucetError(503, 'The faucet is temporarily out of funds, please try again later');
export const failed = () => faucetError(500, 'Faucet request failed, please try again later');

const MAX_WAITING = 100;

/** Does one thing after the other, and refuses what would wait behind too many. */
export class Line {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) throw unavailable();
    this.#waiting++;
    const mine = this.#last.then(work);
    // Those behind wait for the end of this one, however it ends.
    this.#last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      this.#waiting--;
    }
  }
}
