import { setTimeout as sleep } from 'node:timers/promises';
import { journalKinds } from '../chain/journal.ts';
import type { Pool, Sql } from '../db/client.ts';
import { inSnapshot } from '../db/pool/snapshot.ts';
import type { Log } from '../log.ts';
import { type JournalStep, listFallen, listSteps } from '../queries/status/journal.ts';
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

/** The newest step that the database which answers questions has, and word of every change of it. */
export type StepSource = {
  readonly current: { readonly seq: number } | undefined;
  watch(callback: () => void): () => void;
};

export type HubOptions = {
  sql: Pool;
  tip: StepSource;
  subscriptions: Subscriptions;
  log: Log;
  /** Told of each step handled: its number and how many messages went out. */
  onStep?: (seq: number, sent: number) => void;
  retryMs?: number;
};

/** Steps read at once. */
const STEPS_AT_ONCE = 100;
/** Transactions of microblocks remembered. */
const MAX_ANNOUNCED = 10_000;
/** A step that fails this often in a row is passed over: it would hold up all that follow. */
const MOST_FAILURES = 20;
/** Sending for so long at a stretch keeps the node waiting for its answers. */
const LONG_MS = 5;
/** While the fold hurries on, announcing takes one part of time in so many and one. */
const GIVE_WAY = 20;
const MOST_WAITED_MS = 1_000;

/**
 * Follows the journal: what a step changed is computed once, for the topics that somebody has subscribed to, and sent to all.
 * Reads from the server that answers questions, so that nothing is told before it can be asked for.
 */
export class Hub {
  readonly #options: HubOptions;
  /** Last step handled; undefined before the first one is known. */
  #seq: number | undefined;
  #following: Promise<void> | undefined;
  #unwatch: (() => void) | undefined;
  #stopped = false;
  /** The newest step when we last gave way. */
  #newest = 0;
  #failures = 0;
  /** Microblocks told of on the tip, and the transactions of them and of earlier ones. */
  readonly #microblocks = new Set<string>();
  readonly #announced: AnnouncedIndexes = new Map();

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** Begins with the next step: nothing is told again to those who come late. */
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
    // A change while it follows is seen by the loop, which looks at the source before it ends.
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
      // A first step, another database, or nobody who listens: go on from here.
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
        if (this.#failures >= MOST_FAILURES && tip.current !== undefined) {
          log.error({ err: error, seq: this.#seq + 1 }, 'a step could not be announced and is passed over');
          this.#seq++;
          this.#failures = 0;
        }
        await sleep(retryMs);
      }
    }
  }

  /** Announces steps up to `newest`, the tip we know of: beyond it we would take that tip for one of another database. */
  async #handleNext(after: number, newest: number): Promise<void> {
    const { sql, tip, subscriptions, onStep } = this.#options;
    const steps = (await listSteps(sql, after, STEPS_AT_ONCE)).filter(({ seq }) => seq <= newest);
    // The rows of a step come with its number; without them the number was of another database.
    if (steps.length === 0) this.#seq = tip.current?.seq;
    const groups = transactionsOf(steps);
    // The last one of a full page may go on; it is read again, unless it alone fills the page.
    if (steps.length === STEPS_AT_ONCE && groups.length > 1) groups.pop();
    for (const group of groups) {
      if (this.#stopped) return;
      const last = group.at(-1)!.seq;
      const changes = await inSnapshot(sql, async snapshot => {
        const found: Message[] = [];
        for (const step of [...group].sort((a, b) => rank(a) - rank(b))) {
          found.push(...(await this.#newsOf(snapshot, step)));
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
   * Lets answers to the node through. Where the fold went beyond a step while that was announced, and goes on, the node
   * sends faster than we can tell: the fold comes first, and what is left is told when it rests.
   */
  async #giveWay(step: number, spentMs: number): Promise<void> {
    const newest = this.#options.tip.current?.seq ?? 0;
    const hurried = newest > this.#newest && newest > step;
    this.#newest = newest;
    await sleep(hurried ? Math.min(spentMs * GIVE_WAY, MOST_WAITED_MS) : 0);
  }

  async #newsOf(sql: Sql, step: JournalStep): Promise<Message[]> {
    const { subscriptions } = this.#options;
    switch (step.kind) {
      case journalKinds.apply:
        this.#microblocks.clear();
        return await blockMessages(sql, subscriptions, step, this.#announced);
      case journalKinds.rollback:
        this.#microblocks.clear();
        this.#announced.clear();
        return await this.#takeBack(sql, step);
      case journalKinds.sideBlock:
        return await nonCanonicalBlockMessages(sql, subscriptions, step, this.#announced);
      case journalKinds.microblock:
        if (this.#announced.size > MAX_ANNOUNCED) this.#announced.clear();
        return await microblockMessages(sql, subscriptions, step.height, this.#microblocks, this.#announced);
      case journalKinds.mempool:
        return step.tx_ids ? await mempoolMessages(sql, subscriptions, step.tx_ids) : [];
      default:
        return [];
    }
  }

  /** Blocks that a fork takes back, the highest first. */
  async #takeBack(sql: Sql, step: JournalStep): Promise<Message[]> {
    const { subscriptions } = this.#options;
    if (!subscriptions.any('block', 'address-stx-balance')) return [];
    const messages: Message[] = [];
    for (const hash of await listFallen(sql, step))
      messages.push(...(await orphanedBlockMessages(sql, subscriptions, hash)));
    return messages;
  }
}

/** What arrived before a block and was written with it is told before it, and after what a fork took back. */
const rank = ({ kind }: JournalStep): number =>
  kind === journalKinds.rollback ? 0 : kind === journalKinds.mempool ? 1 : 2;

/** Steps that were written together. */
function transactionsOf(steps: readonly JournalStep[]): JournalStep[][] {
  const groups: JournalStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last?.[0]?.at === step.at) last.push(step);
    else groups.push([step]);
  }
  return groups;
}
