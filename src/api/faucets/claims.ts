/** How often one address may be given something. */
export type Allowance = { times: number; windowMs: number };

const MAX_ADDRESSES = 10_000;

/** Records the recent claims of each address; the oldest addresses are dropped when there are too many. */
export class Claims {
  readonly #times = new Map<string, number[]>();

  /** False when the address had all it may have; otherwise this claim counts from now on. */
  take(key: string, { times, windowMs }: Allowance, now = Date.now()): boolean {
    const recent = (this.#times.get(key) ?? []).filter(at => at > now - windowMs);
    const allowed = recent.length < times;
    if (allowed) recent.push(now);
    this.#times.delete(key);
    if (this.#times.size >= MAX_ADDRESSES) this.#forgetOldest();
    if (recent.length > 0) this.#times.set(key, recent);
    return allowed;
  }

  /** Takes the last claim back: what was promised could not be given. */
  undo(key: string): void {
    this.#times.get(key)?.pop();
  }

  #forgetOldest(): void {
    for (const key of this.#times.keys()) {
      this.#times.delete(key);
      return;
    }
  }
}
