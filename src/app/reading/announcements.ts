const MAX_KEPT = 1000;
/** Announcements within this time count as one, made at the time of the first. */
const TOGETHER_MS = 100;

/** When the primary announced which journal step, to tell how long a replica lacks one. */
export class Announcements {
  readonly #list: { seq: number; at: number }[] = [];

  add(seq: number): void {
    // After a failover numbers may begin again at a lower one.
    while ((this.#list.at(-1)?.seq ?? -1) > seq) this.#list.pop();
    const last = this.#list.at(-1);
    const now = performance.now();
    if (last && (last.seq === seq || now - last.at < TOGETHER_MS)) last.seq = seq;
    else this.#list.push({ seq, at: now });
    if (this.#list.length > MAX_KEPT) this.#list.shift();
  }

  /** Milliseconds since the first announced step after this one; 0 if there is none. */
  lagMs(seq: number): number {
    const missing = this.#list.find(announced => announced.seq > seq);
    return missing ? Math.max(1, performance.now() - missing.at) : 0;
  }
}
