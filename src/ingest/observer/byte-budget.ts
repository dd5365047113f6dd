type Waiter = { bytes: number; admit: () => void };

/** A budget of bytes that callers hold while they need the memory. Callers wait in order of arrival when it is used up. */
export class ByteBudget {
  readonly #limit: number;
  readonly #waiting: Waiter[] = [];
  #used = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves with a release function once `bytes` fit; more than the whole budget is admitted when nothing else is held.
   * An aborted wait rejects with the reason of the signal.
   */
  async acquire(bytes: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const release = this.tryAcquire(bytes);
    if (release) return release;
    await this.#wait(bytes, signal);
    return this.#releaseOf(bytes);
  }

  /** A release function if `bytes` fit now and nobody waits; otherwise undefined. */
  tryAcquire(bytes: number): (() => void) | undefined {
    if (this.#waiting.length > 0 || !this.#fits(bytes)) return undefined;
    this.#used += bytes;
    return this.#releaseOf(bytes);
  }

  #releaseOf(bytes: number): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#used -= bytes;
      this.#admitNext();
    };
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#limit;
  }

  #wait(bytes: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal?.reason);
        this.#admitNext();
      };
      const waiter = {
        bytes,
        admit: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiter);
    });
  }

  #admitNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#used += next.bytes;
      next.admit();
    }
  }
}
