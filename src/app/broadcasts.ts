import { createHash } from 'node:crypto';
import { broadcastSource } from '../chain/mempool/mempool.ts';
import type { Pool } from '../db/client.ts';
import type { EventLog } from '../ingest/log/event-log.ts';
import { FoldWatch } from './fold-watch.ts';

/** Accepted transactions that were told of already; a client that repeats itself does not fill the log. */
const MOST_KNOWN = 10_000;

export type BroadcastOptions = {
  events: Pick<EventLog, 'append'>;
  /** Where answers are read from. */
  sql: Pool;
  tip: { refresh(): Promise<void> };
};

/**
 * Tells the fold of transactions that a node has accepted from us, as an event like that of a node: the log has it, so a
 * replay agrees, and it is in the answers before the node reports it.
 */
export class Broadcasts {
  readonly #options: BroadcastOptions;
  readonly #fold: FoldWatch;
  readonly #known = new Map<string, Promise<void>>();

  constructor(options: BroadcastOptions) {
    this.#options = options;
    this.#fold = new FoldWatch(options.sql);
  }

  /** Resolves when the transaction is in the answers of this process. */
  announce(raw: Uint8Array): Promise<void> {
    const txId = createHash('sha512-256').update(raw).digest('hex');
    let told = this.#known.get(txId);
    if (!told) {
      told = this.#tell(raw);
      this.#known.set(txId, told);
      if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!);
      told.catch(() => this.#known.delete(txId));
    }
    return told;
  }

  async #tell(raw: Uint8Array): Promise<void> {
    const { events, tip } = this.#options;
    const body = Buffer.from(JSON.stringify([`0x${Buffer.from(raw).toString('hex')}`]));
    const id = await events.append({ path: '/new_mempool_tx', source: broadcastSource, at: new Date(), body });
    await this.#fold.reach(id);
    await tip.refresh();
  }
}
