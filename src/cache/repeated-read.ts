/** Reads something on request and periodically. Requests that arrive during a read share the next one. */
export class RepeatedRead {
  readonly #read: () => Promise<void>;
  readonly #pauseMs: () => number;
  #reading: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** `read` must not reject; `pauseMs` is the time until the next read without a request. */
  constructor(read: () => Promise<void>, pauseMs: () => number) {
    this.#read = read;
    this.#pauseMs = pauseMs;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Resolves when a read has ended and nobody has requested another one meanwhile. */
  request(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return this.#reading;
    }
    this.#reading = this.#run().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Ends the periodic reads; `settled` waits for the one in progress. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async settled(): Promise<void> {
    await this.#reading;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    do {
      this.#again = false;
      await this.#read();
    } while (this.#again && !this.#stopped);
    if (!this.#stopped) this.#timer = setTimeout(() => void this.request(), this.#pauseMs());
  }
}
