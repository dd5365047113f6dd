/** A client whose waiting bytes count. */
export type Waiter = {
  /** Ends the connection at once, with what waits for it. */
  drop(why: 'slow'): void;
};

/** The bytes that wait for all clients together: beyond a bound, those with the most are dropped. */
export class Backlog {
  readonly #most: number;
  readonly #waiting = new Map<Waiter, number>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Says how many bytes wait for a client now. */
  set(client: Waiter, bytes: number): void {
    const before = this.#waiting.get(client) ?? 0;
    if (bytes === before) return;
    this.#bytes += bytes - before;
    if (bytes > 0) this.#waiting.set(client, bytes);
    else this.#waiting.delete(client);
    while (this.#bytes > this.#most) this.#closeLargest();
  }

  #closeLargest(): void {
    let [largest, most]: [Waiter | undefined, number] = [undefined, 0];
    for (const [client, bytes] of this.#waiting) {
      if (bytes > most) [largest, most] = [client, bytes];
    }
    if (!largest) return;
    this.#waiting.delete(largest);
    this.#bytes -= most;
    largest.drop('slow');
  }
}
