import type { Pool } from '../../db/client.ts';
import { summarizeNewRanges } from '../../db/range-summaries.ts';
import { pruneSigners } from '../signers/prune-signers.ts';
import type { FoldLog } from './fold-log.ts';

/** Tables whose rows are replaced all the time; the server's own vacuum looks at them only once a minute. */
const churning = [
  'holders',
  'mempool',
  'mempool_receipts',
  'mempool_news',
  'nft_current',
  'nft_holders',
  'signer_changes',
  'signer_hours',
  'signer_totals',
];
const everyBlocks = 100;

/**
 * Reclaims dead rows of tables that change all the time, summarizes the pages that rollbacks look for, and removes old rows of
 * signers, while the fold goes on.
 */
export class Housekeeping {
  readonly #sql: Pool;
  readonly #log: FoldLog;
  readonly #signerCycles: number | undefined;
  #last = -1;
  #work: Promise<void> | undefined;

  /** Proposals and responses of the newest `signerCycles` reward cycles stay; all without it. */
  constructor(sql: Pool, log: FoldLog, signerCycles?: number) {
    this.#sql = sql;
    this.#log = log;
    this.#signerCycles = signerCycles;
  }

  /** Called with the height of the tables. */
  reached(height: number): void {
    if (this.#last < 0 || height < this.#last) this.#last = height;
    if (height - this.#last < everyBlocks || this.#work) return;
    this.#last = height;
    this.#work = this.#clean().finally(() => {
      this.#work = undefined;
    });
  }

  async settled(): Promise<void> {
    await this.#work;
  }

  async #clean(): Promise<void> {
    await this.#vacuum();
    await this.#summarize();
    if (this.#signerCycles === undefined) return;
    try {
      await pruneSigners(this.#sql, this.#signerCycles);
    } catch (error) {
      // The next round removes them.
      this.#log.warn({ error: (error as Error).message }, 'could not remove old messages of signers');
    }
  }

  async #vacuum(): Promise<void> {
    try {
      await this.#sql.unsafe(`vacuum ${churning.join(', ')}`);
    } catch (error) {
      // Only space is lost: the server's own vacuum comes by later.
      this.#log.warn({ error: (error as Error).message }, 'could not vacuum the tables of current values');
    }
  }

  async #summarize(): Promise<void> {
    try {
      await summarizeNewRanges(this.#sql);
    } catch (error) {
      // A rollback takes longer until the next round.
      this.#log.warn({ error: (error as Error).message }, 'could not summarize the new pages of tables');
    }
  }
}
