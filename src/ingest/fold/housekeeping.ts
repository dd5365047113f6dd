import type { Pool } from '../../db/client.ts';
import type { FoldLog } from './fold-log.ts';

/** Tables whose rows are replaced all the time; the server's own vacuum looks at them only once a minute. */
const churning = ['holders', 'mempool', 'mempool_receipts', 'mempool_news', 'nft_current'];
const everyBlocks = 100;

/** Reclaims dead rows of the tables of current values while the fold goes on. */
export class Housekeeping {
  readonly #sql: Pool;
  readonly #log: FoldLog;
  #last = -1;
  #work: Promise<void> | undefined;

  constructor(sql: Pool, log: FoldLog) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Told of the height the tables stand at. */
  reached(height: number): void {
    if (this.#last < 0 || height < this.#last) this.#last = height;
    if (height - this.#last < everyBlocks || this.#work) return;
    this.#last = height;
    this.#work = this.#vacuum().finally(() => {
      this.#work = undefined;
    });
  }

  async settled(): Promise<void> {
    await this.#work;
  }

  async #vacuum(): Promise<void> {
    try {
      await this.#sql.unsafe(`vacuum ${churning.join(', ')}`);
    } catch (error) {
      // Only space is lost: the server's own vacuum comes by later.
      this.#log.warn({ error: (error as Error).message }, 'could not vacuum the tables of current values');
    }
  }
}
