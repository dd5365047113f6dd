const doNothing = () => {};

/** Counts open connections by client. */
export class ConnectionCounts {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** True if a client may open one more connection; clients without an address are not limited. */
  admits(client: string | undefined): boolean {
    return client === undefined || (this.#open.get(client) ?? 0) < this.#most;
  }

  /** Counts a connection until the returned function is called. */
  add(client: string | undefined): () => void {
    if (client === undefined) return doNothing;
    this.#open.set(client, (this.#open.get(client) ?? 0) + 1);
    let counted = true;
    return () => {
      if (!counted) return;
      counted = false;
      const left = this.#open.get(client)! - 1;
      if (left > 0) this.#open.set(client, left);
      else this.#open.delete(client);
    };
  }
}
