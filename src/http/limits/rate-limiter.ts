/** What became of a request: let through, or refused with the seconds after which it would pass. */
export type Verdict = { allowed: true } | { allowed: false; retryAfter: number };

export type RateLimits = {
  /** Units that come back each second; 0 sets no limit. */
  perSecond: number;
  /** Units that a client may use at once after a pause. */
  burst: number;
  /** Maximum number of tracked clients; the one that was seen longest ago is dropped first. */
  maxClients?: number;
};

/** What a client may still use. */
export type Standing = { limit: number; remaining: number; perSecond: number; fullInSeconds: number };

type Bucket = { units: number; at: number };

const ALLOWED: Verdict = { allowed: true };
const MAX_CLIENTS = 50_000;

/** A bucket of units for each client, which fills up again with time. */
export class RateLimiter {
  readonly #limits: Required<RateLimits>;
  /** In the order of their last request: a map preserves the order of insertion. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(limits: RateLimits) {
    this.#limits = { maxClients: MAX_CLIENTS, ...limits };
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes units from a client's bucket, or none when there are not enough. */
  take(client: string, cost: number, now = performance.now()): Verdict {
    const { perSecond, burst } = this.#limits;
    if (perSecond === 0) return ALLOWED;
    const bucket = this.#bucketOf(client, now);
    // What costs more than a full bucket would never pass.
    const due = Math.min(cost, burst);
    if (bucket.units < due) return { allowed: false, retryAfter: Math.ceil((due - bucket.units) / perSecond) };
    bucket.units -= due;
    return ALLOWED;
  }

  /** Takes the cost of a response: the client owes what its bucket does not hold, up to one more burst. */
  charge(client: string, units: number, now = performance.now()): void {
    const { perSecond, burst } = this.#limits;
    if (perSecond === 0 || units <= 0) return;
    const bucket = this.#bucketOf(client, now);
    bucket.units = Math.max(-burst, bucket.units - units);
  }

  /** What is in a client's bucket; undefined without a limit. */
  standing(client: string, now = performance.now()): Standing | undefined {
    const { perSecond, burst } = this.#limits;
    if (perSecond === 0) return undefined;
    const { units } = this.#bucketOf(client, now);
    return {
      limit: burst,
      remaining: Math.max(0, Math.floor(units)),
      perSecond,
      fullInSeconds: (burst - units) / perSecond,
    };
  }

  #bucketOf(client: string, now: number): Bucket {
    const { perSecond, burst, maxClients } = this.#limits;
    const known = this.#buckets.get(client);
    const bucket = known ?? { units: burst, at: now };
    bucket.units = Math.min(burst, bucket.units + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (known) this.#buckets.delete(client);
    else if (this.#buckets.size >= maxClients) this.#forgetOldest();
    this.#buckets.set(client, bucket);
    return bucket;
  }

  #forgetOldest(): void {
    for (const client of this.#buckets.keys()) {
      this.#buckets.delete(client);
      return;
    }
  }
}
