import type { Pool } from '../db/client.ts';

const POLL_MS = 5;
const MAX_WAIT_MS = 1500;

type Waiter = { id: bigint; end: number; resolve: () => void; reject: (error: unknown) => void };

/** Waits until the fold has applied given events; one polling loop serves all waiters. */
export class FoldWatch {
  readonly #sql: Pool;
  readonly #waiters = new Set<Waiter>();
  #polling = false;

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  /** Resolves when the event is in the tables, at the latest after 1.5 seconds. */
  reach(id: bigint): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.add({ id, end: performance.now() + MAX_WAIT_MS, resolve, reject });
      if (!this.#polling) void this.#poll();
    });
  }

  async #poll(): Promise<void> {
    this.#polling = true;
    try {
      for (;;) {
        const [row] = await this.#sql<{ event_id: bigint }[]>`select p.event_id from fold_position p`;
        this.#release(waiter => (row && row.event_id >= waiter.id) || performance.now() >= waiter.end);
        if (this.#waiters.size === 0) return;
        await new Promise(resolve => setTimeout(resolve, POLL_MS));
      }
    } catch (error) {
      for (const { reject } of this.#waiters) reject(error);
      this.#waiters.clear();
    } finally {
      this.#polling = false;
    }
  }

  #release(done: (waiter: Waiter) => boolean | undefined): void {
    for (const waiter of this.#waiters) {
      if (!done(waiter)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
