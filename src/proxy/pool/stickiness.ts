/** Records for a while which node accepted a broadcast, by account and transaction, so that a sender reads its own writes. */
export class Stickiness<Node> {
  readonly #places = new Map<string, { node: Node; until: number }>();
  readonly #ms: number;
  readonly #most: number;

  constructor(ms = 60_000, most = 10_000) {
    this.#ms = ms;
    this.#most = most;
  }

  remember(keys: readonly string[], node: Node, now = performance.now()): void {
    for (const key of keys) {
      this.#places.delete(key);
      this.#places.set(key, { node, until: now + this.#ms });
    }
    // In order of time, oldest first.
    for (const [key, { until }] of this.#places) {
      if (until > now && this.#places.size <= this.#most) break;
      this.#places.delete(key);
    }
  }

  /** The node for a path that names a recently broadcast account or transaction. */
  find(path: string, now = performance.now()): Node | undefined {
    if (this.#places.size === 0) return undefined;
    const end = path.indexOf('?');
    for (const segment of (end < 0 ? path : path.slice(0, end)).split('/')) {
      const place = this.#places.get(segment.startsWith('0x') ? segment.slice(2) : segment);
      if (place && place.until > now) return place.node;
    }
    return undefined;
  }
}
