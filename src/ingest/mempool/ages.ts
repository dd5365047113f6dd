/** Keys in buckets by age, so that the check for expired keys costs nothing while there are none. */
export class Ages {
  readonly #width: number;
  readonly #buckets = new Map<number, Map<string, number>>();

  constructor(width: number) {
    this.#width = width;
  }

  add(key: string, age: number): void {
    const number = Math.floor(age / this.#width);
    let bucket = this.#buckets.get(number);
    if (!bucket) {
      bucket = new Map();
      this.#buckets.set(number, bucket);
    }
    bucket.set(key, age);
  }

  delete(key: string, age: number): void {
    const number = Math.floor(age / this.#width);
    const bucket = this.#buckets.get(number);
    bucket?.delete(key);
    if (bucket?.size === 0) this.#buckets.delete(number);
  }

  /** Keys below the limit, oldest first and by key among equals. */
  below(limit: number): string[] {
    const found: [string, number][] = [];
    for (const [number, bucket] of this.#buckets) {
      if (number * this.#width >= limit) continue;
      for (const entry of bucket) if (entry[1] < limit) found.push(entry);
    }
    return found.sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)).map(([key]) => key);
  }
}
