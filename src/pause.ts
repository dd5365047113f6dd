/** The rest between two rounds of a long-lived loop; ends early when there is work, and for good when the loop must stop. */
export class Pause {
  #over = false;
  #wake: (() => void) | undefined;

  /** The loop must stop. */
  get over(): boolean {
    return this.#over;
  }

  /** Waits, but not once the loop must stop. */
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
