/** The pause between two rounds of a loop; ends early when there is work, and permanently when the loop must stop. */
export class Pause {
  #over = false;
  #wake: (() => void) | undefined;

  /** True if the loop must stop. */
  get over(): boolean {
    return this.#over;
  }

  /** Waits, but not if the loop must stop. */
  for(ms: number): Promise<void> {
    if (this.#over) return Promise.resolve();
    return new Promise(resolve => {
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wake = done;
    });
  }

  wake(): void {
    this.#wake?.();
  }

  end(): void {
    this.#over = true;
    this.wake();
  }
}

/** Timers cannot wait longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits, but not longer than until the signal aborts. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await new Promise<void>(resolve => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, LONGEST_TIMER_MS));
    signal.addEventListener('abort', end, { once: true });
  });
}
