export type BreakerOptions = { strikes?: number; firstMs?: number; longestMs?: number; now?: () => number };

/**
 * Circuit breaker of a node: opens after a few consecutive failures, for a time that doubles each time it opens again soon
 * after; closes after a successful health check that started later.
 */
export class Breaker {
  readonly #limit: number;
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #now: () => number;
  #strikes = 0;
  #openedAt = 0;
  #waitMs = 0;
  #open = false;
  /** How often it has opened. */
  opened = 0;

  constructor({ strikes = 3, firstMs = 1000, longestMs = 30_000, now = () => performance.now() }: BreakerOptions = {}) {
    this.#limit = strikes;
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#now = now;
  }

  get open(): boolean {
    return this.#open;
  }

  /** Earliest time at which it may close. */
  get retryAt(): number {
    return this.#openedAt + this.#waitMs;
  }

  /** A call succeeded. */
  succeed(): void {
    this.#strikes = 0;
  }

  /** A call failed; true when that opened it. */
  strike(): boolean {
    this.#strikes++;
    if (this.#open || this.#strikes < this.#limit) return false;
    const again = this.#openedAt > 0 && this.#now() - this.retryAt < this.#longestMs * 2;
    this.#waitMs = again ? Math.min(this.#waitMs * 2, this.#longestMs) : this.#firstMs;
    this.#openedAt = this.#now();
    this.#open = true;
    this.opened++;
    return true;
  }

  /** Resets the count of failures that a healthy node may produce too. */
  get doubtful(): boolean {
    return this.#strikes >= this.#limit;
  }

  /** A failure that does not open the breaker alone, because a client can cause it. */
  count(): void {
    this.#strikes++;
  }

  /** A health check that began at `startedAt` succeeded. */
  checked(startedAt: number): void {
    if (this.#open && (startedAt < this.#openedAt || this.#now() < this.retryAt)) return;
    this.#open = false;
    this.#strikes = 0;
  }
}
