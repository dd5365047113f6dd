import { CodecError } from '../../codec/error.ts';
import type { Pool } from '../../db/client.ts';
import { connect } from '../../db/client.ts';
import type { Writer } from '../../db/writer.ts';
import type { Network } from '../../network.ts';
import { MessageError, parseMessage } from '../../node/json.ts';
import { Pause } from '../../pause.ts';
import { beginBulkLoad, finishBulkLoad } from '../load/bulk-load.ts';
import type { EventFeed } from '../log/event-feed.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import { EVENTS_CHANNEL } from '../log/event-rows.ts';
import { EventSupply } from '../log/event-supply.ts';
import { BurnView } from '../tree/burn-view.ts';
import { TreeKeeper } from '../tree/fork-choice.ts';
import { findBadBlock } from './branch-trial.ts';
import { isPassing, isTakenOver } from './fold-failure.ts';
import { FoldLease } from './fold-lease.ts';
import { FoldWriter } from './fold-writer.ts';
import { Housekeeping } from './housekeeping.ts';
import { Refusal, Router, Unfoldable } from './router.ts';
import { BranchError, type FoldLog } from './step.ts';
import { UnknownItems } from './unknown-items.ts';
import { openWriter } from './writer-connection.ts';

export type FoldOptions = {
  url: string;
  network: Network;
  log: FoldLog;
  /** Most blocks in one transaction when behind. */
  batchBlocks?: number;
  /** How long to wait after a failure and between two tries for the lock. */
  retryMs?: number;
  /** Load in bulk where nothing has been folded yet; a fold without it ends a load that was left half-way. */
  bulk?: boolean;
  /** Schema whose tables are folded, where it is not the one in use: a rebuild beside it. Nobody is told of its steps. */
  schema?: string;
  /** Events that this process appends, so that they need not be read back. */
  feed?: EventFeed;
};

const defaultRetryMs = 1_000;
/** Between two tries for the lock: what a standby adds to the time until it takes over. */
const standbyMs = 300;
const idleMs = 1_000;
/** Blocks that share a transaction while the node sends faster than they can be written one by one. */
const sharedBlocks = 8;
/** Bodies that are parsed together: few, since what they become outlives the collector's first rounds. */
const maxBytes = 4 << 20;

/**
 * The one writer of the canonical tables: reads the log in order and moves the tables along. It restarts itself from the
 * stored position after any failure, so that a lost connection or a lost lock costs a second and changes nothing.
 */
export class Fold {
  readonly #options: FoldOptions;
  readonly #pause = new Pause();
  /** Ends what takes too long to be waited for. */
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  /** After a failed batch, events are taken one by one so that the culprit is named. */
  #single = 0;
  /** The event that failed last when taken alone, how often in a row, and why; some values are decoded only when they are written. */
  #culprit = { id: 0n, failures: 0, reason: '', unreadable: false };
  #complaint: string | undefined;
  /** The branch that could not be applied last, and how often in a row. */
  #branch = { tip: 0n, failures: 0 };
  /** The block of a branch that cannot be folded, and why. */
  #badBlock: { event: LoggedEvent; reason: string } | undefined;

  constructor(options: FoldOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Waits for the transaction under way and lets go of the lock; the end of a bulk load is left to the next start. */
  async stop(): Promise<void> {
    this.#pause.end();
    this.#stopping.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#pause.over) {
      try {
        await this.#session();
      } catch (error) {
        // A lost connection is no event's fault: what has piled up meanwhile is folded as quickly as ever.
        if (!isPassing(error)) this.#single = 200;
        this.#complain(error);
        await this.#pause.for(this.#options.retryMs ?? defaultRetryMs);
      }
    }
  }

  /** Says once what went wrong; the same again, second after second, tells nothing new. */
  #complain(error: unknown): void {
    const { log } = this.#options;
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.#complaint) return;
    this.#complaint = message;
    if (isTakenOver(error)) log.warn({}, 'another writer has taken over the fold; this one stands by');
    else if (isPassing(error)) log.warn({ error: message }, 'the fold lost the database; it tries again every second');
    else log.error(error instanceof Error ? error : { error: message }, 'the fold starts again');
  }

  /** One life of the writer: from taking the lock to a failure or a stop. */
  async #session(): Promise<void> {
    const { url, schema } = this.#options;
    let lost: Error | undefined;
    const losing = new AbortController();
    const lose = (error: Error) => {
      lost ??= error;
      losing.abort();
      this.#pause.wake();
    };
    const retryMs = this.#options.retryMs ?? standbyMs;
    const lease = await FoldLease.open({ url, schema, retryMs, onLost: lose });
    try {
      if (!(await lease.acquire(this.#pause))) return;
      await lease.evict();
      this.#options.log.info({}, 'this process writes the tables now');
      await this.#lead(lease, losing.signal, lose);
    } catch (error) {
      // What was under way when the lock was lost fails with a broken connection; the lock is the reason.
      throw lost ?? error;
    } finally {
      await lease.end();
    }
    if (lost) throw lost;
  }

  /** Writes for as long as the lock is held. */
  async #lead(lease: FoldLease, lost: AbortSignal, lose: (error: Error) => void): Promise<void> {
    const { url, log, schema } = this.#options;
    const schemas = schema === undefined ? undefined : [schema, 'public'];
    const sql = connect(url, { max: 4, name: 'cairn fold', fixedPlans: true, ...(schemas && { schemas }) });
    let connection: Writer | undefined;
    let ending = false;
    // Whatever waits for an answer on these connections must not wait for ever.
    const abandon = () => {
      connection?.destroy();
      void sql.end({ timeout: 0 }).catch(() => {});
    };
    lost.addEventListener('abort', abandon, { once: true });
    try {
      connection = await openWriter(url, 'cairn fold writer', schema);
      connection.onLost(error => {
        if (!ending) lose(error);
      });
      await lease.mark(connection);
      if (!(await this.#settleBulkLoad(sql))) return;
      const writer = await FoldWriter.open({
        sql,
        connection,
        network: this.#options.network,
        log,
        quiet: schema !== undefined,
      });
      const housekeeping = new Housekeeping(sql, log);
      const burnView = await BurnView.load(sql);
      const tree = await TreeKeeper.open(writer, burnView, log);
      const unknown = await UnknownItems.open(sql, log);
      const router = new Router({ writer, tree, burnView, unknown, log, batchBlocks: this.#options.batchBlocks ?? 50 });
      // An event that arrives while the last ones are written must not wait for the clock.
      let heard = false;
      const supply = new EventSupply(sql, this.#options.feed, () => {
        heard = true;
        this.#pause.wake();
      });
      const listener = await sql.listen(EVENTS_CHANNEL, id => supply.announce(BigInt(id)));
      try {
        await tree.settleGenesis();
        this.#complaint = undefined;
        await this.#settleTree(sql, writer, tree);
        while (!this.#pause.over && !lost.aborted) {
          heard = false;
          const progressed = await this.#drain(sql, lease, supply, writer, router, housekeeping);
          if (progressed || heard || this.#pause.over || lost.aborted) continue;
          await this.#pause.for(idleMs);
          if (!heard) supply.doubt();
        }
        await writer.settled();
      } finally {
        supply.close();
        await housekeeping.settled();
        await listener.unlisten().catch(() => {});
      }
    } finally {
      ending = true;
      lost.removeEventListener('abort', abandon);
      await connection?.end();
      await sql.end({ timeout: lost.aborted ? 0 : 2 }).catch(() => {});
    }
  }

  /** Begins a bulk load, or ends one that was left half-way; false when told to stop meanwhile. */
  async #settleBulkLoad(sql: Pool): Promise<boolean> {
    const { bulk, log } = this.#options;
    if (!bulk) return await finishBulkLoad(sql, log, this.#stopping.signal);
    if (!(await beginBulkLoad(sql))) log.info({}, 'the tables are in use: folding without a bulk load');
    return true;
  }

  /** Moves the tables to the best branch; where one of its blocks cannot be folded, halts until it is given up. */
  async #settleTree(sql: Pool, writer: FoldWriter, tree: TreeKeeper): Promise<void> {
    if (this.#badBlock) {
      const { log } = this.#options;
      const { event, reason } = this.#badBlock;
      while (!this.#pause.over && !(await isSkipped(sql, event.id))) {
        await writer.halt(event, reason);
        await this.#pause.for(idleMs);
      }
      if (this.#pause.over) return;
      log.warn({ event: String(event.id) }, 'giving up a block and what stands on it, as told');
      await tree.giveUp(event.id);
      await writer.goOn();
      this.#badBlock = undefined;
    }
    try {
      await tree.settleTree();
    } catch (error) {
      if (error instanceof BranchError && !isPassing(error)) {
        const tip = error.eventIds.at(-1) ?? 0n;
        this.#branch = { tip, failures: this.#branch.tip === tip ? this.#branch.failures + 1 : 1 };
        if (this.#branch.failures >= 3) this.#badBlock = await findBadBlock(sql, error, this.#options);
      }
      throw error;
    }
  }

  /** Folds everything the log has beyond the position; false when there was nothing. */
  async #drain(
    sql: Pool,
    lease: FoldLease,
    supply: EventSupply,
    writer: FoldWriter,
    router: Router,
    housekeeping: Housekeeping,
  ): Promise<boolean> {
    const maxCount = this.#single > 0 ? 1 : 1000;
    let any = false;
    for await (const events of supply.batches(writer.position.eventId, { maxBytes, maxCount })) {
      if (this.#pause.over) break;
      any = true;
      const bytes = events.reduce((sum, { body }) => sum + body.length, 0);
      // One huge event, such as the genesis block, keeps this thread busy for seconds.
      if (bytes > maxBytes) await lease.extend((bytes / 2 ** 20) * 1_000);
      if (!(await this.#foldEvents(sql, events, writer, router))) return false;
      if (bytes > maxBytes) await lease.extend();
      if (!writer.position.bulk) {
        // What is at hand shares a transaction; nobody waits for a full one.
        const more = supply.hasNext(events.at(-1)!.id) && router.blocks < sharedBlocks;
        if (writer.idle && !more) await router.flush();
        housekeeping.reached(writer.position.height);
      }
      if (this.#single > 0 && --this.#single === 0) break;
    }
    await router.flush();
    await writer.showStream();
    await writer.settled();
    return any;
  }

  /** False when the fold halted at one of the events. */
  async #foldEvents(sql: Pool, events: LoggedEvent[], writer: FoldWriter, router: Router): Promise<boolean> {
    const messages: { event: LoggedEvent; message: unknown }[] = [];
    for (const event of events) {
      try {
        messages.push({ event, message: parseMessage(event.body) });
      } catch (error) {
        if (!(error instanceof MessageError)) throw error;
        messages.push({ event, message: error });
      }
    }
    await router.prepare(messages);
    for (const { event, message } of messages) {
      if (this.#pause.over) return true;
      if (this.#culprit.id === event.id && this.#culprit.failures >= 3) {
        if (this.#culprit.unreadable) {
          await router.quarantine(event, this.#culprit.reason);
          continue;
        }
        if (await this.#goPast(sql, writer, event, this.#culprit.reason)) continue;
        return false;
      }
      try {
        if (message instanceof MessageError) await router.quarantine(event, message.message);
        else await router.route(event, message);
        await writer.breathe();
        if (this.#single > 0) {
          await router.flush();
          await writer.settled();
        }
      } catch (error) {
        if (error instanceof Refusal) {
          await router.quarantine(event, error.message);
          continue;
        }
        if (!(error instanceof Unfoldable)) {
          this.#suspect(event, error);
          throw error;
        }
        await router.flush();
        if (!(await this.#goPast(sql, writer, event, error.message))) return false;
      }
    }
    return true;
  }

  /** Goes past an event that cannot be folded if an operator said so; else halts at it. */
  async #goPast(sql: Pool, writer: FoldWriter, event: LoggedEvent, reason: string): Promise<boolean> {
    if (await isSkipped(sql, event.id)) {
      await writer.skip(event);
      return true;
    }
    await writer.halt(event, reason);
    await this.#pause.for(idleMs);
    return false;
  }

  /** An event that fails alone again and again must be at fault itself, and not the moment. */
  #suspect(event: LoggedEvent, error: unknown): void {
    if (this.#single === 0 || isPassing(error)) return;
    const failures = this.#culprit.id === event.id ? this.#culprit.failures + 1 : 1;
    const reason = error instanceof Error ? error.message : String(error);
    this.#culprit = { id: event.id, failures, reason, unreadable: error instanceof CodecError };
  }
}

async function isSkipped(sql: Pool, eventId: bigint): Promise<boolean> {
  const rows = await sql`select 1 from event_skips where event_id = ${String(eventId)}::bigint`;
  return rows.length > 0;
}
