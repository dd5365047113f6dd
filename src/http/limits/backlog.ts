/** A client whose unsent bytes are counted. */
export type Waiter = {
  /** Ends the connection at once and discards its unsent bytes. */
  drop(why: 'slow'): void;
};

/** Counts the unsent bytes of all clients; above a limit, the clients with the most are disconnected. */
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

  /** Sets the number of unsent bytes of a client. */
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
