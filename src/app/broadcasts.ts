import { createHash } from 'node:crypto';
import { broadcastSource } from '../chain/mempool/mempool.ts';
import type { Pool } from '../db/client.ts';
import type { EventLog } from '../ingest/log/event-log.ts';
import { FoldWatch } from './fold-watch.ts';

/** Number of announced transactions to cache, so that repeated broadcasts do not fill the log. */
const MAX_ANNOUNCED = 10_000;

export type BroadcastOptions = {
  events: Pick<EventLog, 'append'>;
  /** The pool that API reads use. */
  sql: Pool;
  tip: { refresh(): Promise<void> };
};

/**
 * Logs transactions that a node accepted from this process as mempool events, like those of a node. They are in the log, so a
 * replay gives the same tables, and responses show them before the node reports them.
 */
export class Broadcasts {
  readonly #options: BroadcastOptions;
  readonly #fold: FoldWatch;
  readonly #announced = new Map<string, Promise<void>>();

  constructor(options: BroadcastOptions) {
    this.#options = options;
    this.#fold = new FoldWatch(options.sql);
  }

  /** Resolves when responses of this process show the transaction. */
  announce(raw: Uint8Array): Promise<void> {
    const txId = createHash('sha512-256').update(raw).digest('hex');
    let announced = this.#announced.get(txId);
    if (!announced) {
      announced = this.#append(raw);
      this.#announced.set(txId, announced);
      if (this.#announced.size > MAX_ANNOUNCED) this.#announced.delete(this.#announced.keys().next().value!);
      announced.catch(() => this.#announced.delete(txId));
    }
    return announced;
  }

  async #append(raw: Uint8Array): Promise<void> {
    const { events, tip } = this.#options;
    const body = Buffer.from(JSON.stringify([`0x${Buffer.from(raw).toString('hex')}`]));
    const id = await events.append({ path: '/new_mempool_tx', source: broadcastSource, at: new Date(), body });
    await this.#fold.reach(id);
    await tip.refresh();
  }
}
