import { Pause } from '../pause.ts';

/** Spaces calls evenly: at most so many start in a second. */
export class CallRate {
  readonly #intervalMs: number;
  readonly #pause = new Pause();
  #next = 0;

  constructor(perSecond: number) {
    this.#intervalMs = 1000 / perSecond;
  }

  /** Waits for the turn of the next call; resolves at once after a stop. */
  async turn(): Promise<void> {
    const now = performance.now();
    // A timer is too coarse for one call: those of some milliseconds start together.
    this.#next = Math.max(this.#next + this.#intervalMs, now - burstMs);
    const waitMs = this.#next - now;
    if (waitMs <= 0 || this.#pause.over) return;
    await new Promise(resolve => setTimeout(resolve, waitMs));
  }

  stop(): void {
    this.#pause.end();
  }
}

/** Unused time that later calls may use up. */
const burstMs = 100;
