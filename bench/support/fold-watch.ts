import { journalChannel } from '../../src/chain/journal.ts';
import type { Pool } from '../../src/db/client.ts';

type Position = { event_id: bigint; height: number; halted_at: bigint | null; halt_reason: string | null };

/** Reads the position of the fold at each notification. */
export class FoldWatch {
  readonly #sql: Pool;
  #wake: () => void = () => {};

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  async start(): Promise<void> {
    await this.#sql.listen(journalChannel, () => this.#wake());
  }

  /** Waits for a condition on the position; fails when the fold has stopped at an event. */
  async until(condition: (position: Position) => boolean): Promise<void> {
    for (;;) {
      const woken = new Promise<void>(resolve => {
        const timer = setTimeout(resolve, 250); // a word may get lost
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      const [position] = await this.#sql<Position[]>`
        select p.event_id, p.height, p.halted_at, p.halt_reason from fold_position p
      `;
      if (condition(position!)) return;
      if (position!.halted_at !== null) throw new Error(`the fold stopped at an event: ${position!.halt_reason}`);
      await woken;
    }
  }
}
