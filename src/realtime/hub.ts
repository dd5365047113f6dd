import { setTimeout as sleep } from 'node:timers/promises';
import { type JournalStep, listRemovedBlocks, listSteps } from '../cache/journal-queries.ts';
import { journalKinds } from '../chain/journal.ts';
import type { Pool, Sql } from '../db/client.ts';
import { inSnapshot } from '../db/pool/snapshot.ts';
import type { Log } from '../log.ts';
import type { InterfaceStore } from '../read/contracts/interfaces-queries.ts';
import {
  blockMessages,
  microblockMessages,
  nonCanonicalBlockMessages,
  orphanedBlockMessages,
} from './chain-changes.ts';
import { mempoolMessages } from './mempool-changes.ts';
import type { Message } from './message.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { AnnouncedIndexes } from './transaction-changes.ts';

/** The newest journal entry of the database for API reads, and a callback for each change of it. */
export type StepSource = {
  readonly current: { readonly seq: number; readonly height: number } | undefined;
  watch(callback: () => void): () => void;
};

export type HubOptions = {
  sql: Pool;
  tip: StepSource;
  subscriptions: Subscriptions;
  interfaces: InterfaceStore;
  log: Log;
  /** Called after each journal entry, with its number and the number of messages sent. */
  onStep?: (seq: number, sent: number) => void;
  retryMs?: number;
};

/** Journal entries read at once. */
const STEPS_AT_ONCE = 100;
/** Maximum number of cached transactions of microblocks. */
const MAX_ANNOUNCED = 10_000;
/** An entry that fails this often in a row is skipped; otherwise it would block all later ones. */
const MAX_FAILURES = 20;
/** Longest time of continuous sending, in milliseconds; longer would delay acknowledgements to the node. */
const LONG_MS = 5;
/** While the fold catches up, announcing gets one part in this number plus one of the time. */
const GIVE_WAY = 20;
const MAX_WAITED_MS = 1_000;

/**
 * Follows the journal: computes the changes of an entry once, for subscribed topics only, and sends them to all subscribers.
 * Reads from the server for API reads, so that clients can read what is announced.
 */
export class Hub {
  readonly #options: HubOptions;
  /** Last journal entry handled; undefined before the first one is known. */
  #seq: number | undefined;
  #following: Promise<void> | undefined;
  #unwatch: (() => void) | undefined;
  #stopped = false;
  /** The newest entry at the last pause for the fold. */
  #newest = 0;
  #failures = 0;
  /** Microblocks announced on the tip, and the transactions of these and of earlier ones. */
  readonly #microblocks = new Set<string>();
  readonly #announced: AnnouncedIndexes = new Map();

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** Starts with the next entry; earlier ones are not announced. */
  start(): void {
    this.#seq = this.#options.tip.current?.seq;
    this.#unwatch = this.#options.tip.watch(() => this.#wake());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unwatch?.();
    await this.#following;
  }

  #wake(): void {
    // The running loop sees a change, because it reads the source again before it ends.
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined;
      if (!this.#stopped && this.#isBehind()) this.#wake();
    });
  }

  #isBehind(): boolean {
    return this.#options.tip.current !== undefined && this.#options.tip.current.seq !== this.#seq;
  }

  async #follow(): Promise<void> {
    const { tip, subscriptions, log, retryMs = 250 } = this.#options;
    while (!this.#stopped && this.#isBehind()) {
      const { seq } = tip.current!;
      // First entry, another database, or no subscriber: continue from here.
      if (this.#seq === undefined || seq < this.#seq || subscriptions.count === 0) {
        this.#seq = seq;
        this.#microblocks.clear();
        this.#announced.clear();
        continue;
      }
      try {
        await this.#handleNext(this.#seq, seq);
        this.#failures = 0;
      } catch (error) {
        if (this.#stopped) return;
        this.#failures++;
        if (this.#failures === 1) log.warn({ err: error, seq: this.#seq }, 'a step cannot be announced; trying again');
        if (this.#failures >= MAX_FAILURES && tip.current !== undefined) {
          log.error({ err: error, seq: this.#seq + 1 }, 'a step could not be announced and is passed over');
          this.#seq++;
          this.#failures = 0;
        }
        await sleep(retryMs);
      }
    }
  }

  /** Announces entries up to `newest`, the known tip; going further would look like the tip of another database. */
  async #handleNext(after: number, newest: number): Promise<void> {
    const { sql, tip, subscriptions, onStep } = this.#options;
    const steps = (await listSteps(sql, after, STEPS_AT_ONCE)).filter(({ seq }) => seq <= newest);
    // The rows of an entry are visible with its number; if they are missing, the number was of another database.
    if (steps.length === 0) this.#seq = tip.current?.seq;
    const groups = transactionsOf(steps);
    // The last entry of a full page may be incomplete; it is read again, unless it fills the page alone.
    if (steps.length === STEPS_AT_ONCE && groups.length > 1) groups.pop();
    for (const group of groups) {
      if (this.#stopped) return;
      const last = group.at(-1)!.seq;
      const changes = await inSnapshot(sql, async snapshot => {
        const found: Message[] = [];
        for (const step of [...group].sort((a, b) => rank(a) - rank(b))) {
          found.push(...(await this.#messagesFor(snapshot, step)));
        }
        return found;
      });
      let sent = 0;
      let spentMs = 0;
      for (const message of changes) {
        const began = performance.now();
        sent += subscriptions.publish(message);
        spentMs += performance.now() - began;
        if (spentMs < LONG_MS) continue;
        await this.#giveWay(last, spentMs);
        spentMs = 0;
      }
      this.#seq = last;
      onStep?.(last, sent);
    }
  }

  /**
   * Lets acknowledgements to the node through. If the fold advanced during an announcement and continues, the node sends
   * faster than entries can be announced: the fold gets priority, and the rest is announced when it is idle.
   */
  async #giveWay(step: number, spentMs: number): Promise<void> {
    const newest = this.#options.tip.current?.seq ?? 0;
    const hurried = newest > this.#newest && newest > step;
    this.#newest = newest;
    await sleep(hurried ? Math.min(spentMs * GIVE_WAY, MAX_WAITED_MS) : 0);
  }

  async #messagesFor(sql: Sql, step: JournalStep): Promise<Message[]> {
    const { subscriptions, interfaces } = this.#options;
    switch (step.kind) {
      case journalKinds.apply:
        this.#microblocks.clear();
        return await blockMessages(sql, subscriptions, interfaces, step, this.#announced);
      case journalKinds.rollback:
        this.#microblocks.clear();
        this.#announced.clear();
        return await this.#rollbackMessages(sql, step);
      case journalKinds.nonCanonicalBlock:
        return await nonCanonicalBlockMessages(sql, subscriptions, interfaces, step, this.#announced);
      case journalKinds.microblock:
        if (this.#announced.size > MAX_ANNOUNCED) this.#announced.clear();
        return await microblockMessages(
          sql,
          subscriptions,
          interfaces,
          step.height,
          this.#microblocks,
          this.#announced,
        );
      case journalKinds.mempool:
        return step.tx_ids?.length ? await mempoolMessages(sql, subscriptions, interfaces, step.tx_ids) : [];
      default:
        return [];
    }
  }

  /** Blocks that a fork removes, the highest first. */
  async #rollbackMessages(sql: Sql, step: JournalStep): Promise<Message[]> {
    const { subscriptions } = this.#options;
    if (!subscriptions.any('removed-block', 'address-stx-balance')) return [];
    const messages: Message[] = [];
    for (const hash of await listRemovedBlocks(sql, step))
      messages.push(...(await orphanedBlockMessages(sql, subscriptions, hash)));
    return messages;
  }
}

/** Orders changes: blocks removed by a fork, then other changes written with a block, then the block. */
const rank = ({ kind }: JournalStep): number =>
  kind === journalKinds.rollback ? 0 : kind === journalKinds.mempool ? 1 : 2;

/** Journal entries that were written in one transaction. */
function transactionsOf(steps: readonly JournalStep[]): JournalStep[][] {
  const groups: JournalStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last?.[0]?.at === step.at) last.push(step);
    else groups.push([step]);
  }
  return groups;
}
