import type { Pool } from '../db/client.ts';

const LOOK_MS = 5;
const LOOK_FOR_MS = 1500;

type Waiter = { id: bigint; end: number; resolve: () => void; reject: (error: unknown) => void };

/** Waits for the fold to reach events; however many wait, the database is asked by one look after the other. */
export class FoldWatch {
  readonly #sql: Pool;
  readonly #waiting = new Set<Waiter>();
  #looking = false;

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  /** Resolves when the event is in the tables, or when it takes too long to be waited for. */
  reach(id: bigint): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.add({ id, end: performance.now() + LOOK_FOR_MS, resolve, reject });
      if (!this.#looking) void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#looking = true;
    try {
      for (;;) {
        const [row] = await this.#sql<{ event_id: bigint }[]>`select p.event_id from fold_position p`;
        this.#release(waiter => (row && row.event_id >= waiter.id) || performance.now() >= waiter.end);
        if (this.#waiting.size === 0) return;
        await new Promise(resolve => setTimeout(resolve, LOOK_MS));
      }
    } catch (error) {
      for (const { reject } of this.#waiting) reject(error);
      this.#waiting.clear();
    } finally {
      this.#looking = false;
    }
  }

  #release(done: (waiter: Waiter) => boolean | undefined): void {
    for (const waiter of this.#waiting) {
      if (!done(waiter)) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }
}
