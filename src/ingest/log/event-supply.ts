import type { Sql } from '../../db/client.ts';
import { signerMessagesPath } from '../signers/signer-event.ts';
import type { EventFeed } from './event-feed.ts';
import { type BatchLimits, eventBatches, type LoggedEvent } from './event-reader.ts';

/** How long an announced event may take from the appender of this process before it is read from the log. */
const graceMs = 15;
/** How long messages of signers wait for other events, so that many share a transaction: there are two for each signer and block. */
const gatherMs = 100;

/** Where the fold gets its events: from the feed while that has the next one, else from the log. */
export class EventSupply {
  readonly #sql: Sql;
  readonly #feed: EventFeed | undefined;
  readonly #onEvents: () => void;
  /** The log may hold events up to here; it is not read further. */
  #announced: bigint | undefined;
  #notifiedHead = 0n;
  #grace: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;

  /** `onEvents` is called when there may be events to take. */
  constructor(sql: Sql, feed: EventFeed | undefined, onEvents: () => void) {
    this.#sql = sql;
    this.#feed = feed;
    this.#onEvents = onEvents;
    if (!feed) return;
    feed.open();
    feed.onOffer = () => this.#wake();
  }

  /** The log has grown up to `id`. */
  announce(id: bigint): void {
    if (id > this.#notifiedHead) this.#notifiedHead = id;
    if (!this.#feed) {
      this.#advanceHead();
      return;
    }
    this.#grace ??= setTimeout(() => {
      this.#grace = undefined;
      this.#advanceHead();
    }, graceMs);
  }

  /** Reads the log again without an announcement, since one may have been lost. */
  recheckLog(): void {
    this.#announced = undefined;
    // Events that were not taken by now are useless to an idle fold.
    this.#feed?.clear();
  }

  /** True when the event after `afterId` is at hand. */
  hasNext(afterId: bigint): boolean {
    return this.#feed?.hasNext(afterId) ?? false;
  }

  /** Batches after `afterId` until there is nothing left. */
  async *batches(afterId: bigint, limits: BatchLimits): AsyncGenerator<LoggedEvent[], void, void> {
    let after = afterId;
    for (;;) {
      const handed = this.#feed?.take(after, limits) ?? [];
      if (handed.length > 0) {
        after = handed.at(-1)!.id;
        yield handed;
        continue;
      }
      if (this.#announced !== undefined && after >= this.#announced) return;
      const start = after;
      for await (const read of eventBatches(this.#sql, after, limits)) {
        after = read.at(-1)!.id;
        yield read;
        if (this.#feed?.hasNext(after)) break;
      }
      if (after > start) continue;
      // Events that were announced during the read are in the log now, so read again.
      this.#announced = after;
      if (this.#notifiedHead > after) this.#announced = this.#notifiedHead;
      return;
    }
  }

  close(): void {
    clearTimeout(this.#grace);
    clearTimeout(this.#gathering);
    this.#feed?.close();
  }

  #advanceHead(): void {
    if (this.#announced !== undefined && this.#notifiedHead > this.#announced) this.#announced = this.#notifiedHead;
    this.#wake();
  }

  /** Tells the fold about events, at once unless there are only messages of signers. */
  #wake(): void {
    if (this.#feed?.hasOnly(signerMessagesPath, this.#notifiedHead)) {
      this.#gathering ??= setTimeout(() => this.#endGathering(), gatherMs);
    } else this.#endGathering();
  }

  #endGathering(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#onEvents();
  }
}
