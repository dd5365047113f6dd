import type { Pool } from '../../db/client.ts';
import { findBestBranch, moveToBest, refold, refoldedBlocks } from '../tree/fork-choice.ts';
import { canonicalAbove, findMissedGenesis } from '../tree/refolded-blocks.ts';
import { decide } from './decide.ts';
import type { Decision, Effects, Facts, FollowUp, IncomingEvent } from './decision.ts';
import { BranchError } from './failure.ts';
import type { FoldLog } from './fold-log.ts';
import { loadNamedBlocks, lookUp } from './look-ups.ts';
import type { Plan } from './plan.ts';
import { QueuedSteps } from './queued-steps.ts';
import type { OwnedState } from './state.ts';
import type { UnknownItems } from './unknown-items.ts';
import type { FoldWriter } from './writer.ts';

export type ExecutorParts = {
  sql: Pool;
  writer: FoldWriter;
  state: OwnedState;
  unknown: UnknownItems;
  log: FoldLog;
  /** Most blocks in one transaction. */
  batchBlocks: number;
};

/** A decision that can be carried out at once. */
export type Executable = Extract<Decision, { kind: 'queue' | 'write' }>;

/** Brings decisions and tables together: loads the facts that a decision needs, moves the state, and hands plans to the writer. */
export class Executor {
  readonly #sql: Pool;
  readonly #writer: FoldWriter;
  readonly #state: OwnedState;
  readonly #unknown: UnknownItems;
  readonly #log: FoldLog;
  readonly #queued: QueuedSteps;

  constructor({ sql, writer, state, unknown, log, batchBlocks }: ExecutorParts) {
    this.#sql = sql;
    this.#writer = writer;
    this.#state = state;
    this.#unknown = unknown;
    this.#log = log;
    this.#queued = new QueuedSteps(batchBlocks);
  }

  /** Blocks that wait to be written. */
  get queuedBlocks(): number {
    return this.#queued.blocks;
  }

  /** Must be called with a batch of events before its first decision. */
  async prepare(batch: readonly IncomingEvent[]): Promise<void> {
    await loadNamedBlocks(this.#sql, this.#state.blocks, batch);
  }

  async decide(incoming: IncomingEvent, batch: readonly IncomingEvent[]): Promise<Decision> {
    let decision = decide(this.#state, incoming, {}, batch);
    for (let facts: Facts = {}; decision.kind === 'look_up'; ) {
      await this.flush();
      await this.#writer.settled();
      facts = { ...facts, ...(await lookUp(this.#sql, decision.lookUp)) };
      decision = decide(this.#state, incoming, facts, batch);
    }
    return decision;
  }

  async carryOut(decision: Executable): Promise<void> {
    if (decision.kind === 'queue') {
      this.#take(decision);
      this.#queued.add(decision.step, decision.burnSources);
      if (this.#queued.full) await this.flush();
      return;
    }
    await this.flush();
    this.#take(decision);
    for (const plan of decision.plans) await this.#write(plan);
    for (const next of decision.next ?? []) await this.#followUp(next);
  }

  /** Writes the queued steps. */
  async flush(): Promise<void> {
    await this.#unknown.save();
    const plan = this.#queued.take();
    if (plan) await this.#writer.write(plan);
  }

  /** Moves the tables to the best block of the tree, over a fork where need be. */
  async moveToBest(): Promise<void> {
    await this.#writer.settled();
    let moved = false;
    for (;;) {
      const best = await findBestBranch(this.#sql, this.#state.tip, this.#state.ruledOut);
      if (!best) break;
      moved = true;
      const { plan, tip } = moveToBest(this.#state.tip, best);
      if (plan.rollback !== undefined) {
        this.#log.info(
          { from: this.#state.tip.height, fork: plan.rollback, to: tip.height },
          'another branch is canonical now: rolling back to the fork',
        );
      }
      await this.#write(plan);
      this.#state.apply({ tip });
    }
    // A block that is the tip again may have unconfirmed microblocks from the last time.
    if (moved) await this.#writer.findUnconfirmed();
  }

  /** Block 0 is shown with block 1: a short chain that was applied before a full block 0 arrived is applied again. */
  async includeGenesis(): Promise<void> {
    await this.#writer.settled();
    const missed = await findMissedGenesis(this.#sql);
    if (missed === undefined) return;
    if (this.#state.tip.height > refoldedBlocks) {
      this.#log.warn({ event: String(missed) }, 'Genesis arrived late; run `cairn rebuild` to include it.');
      return;
    }
    const chain = await canonicalAbove(this.#sql, 0);
    const plans = refold(
      0,
      chain.map(block => block.eventId),
    );
    for (const plan of plans) await this.#write(plan);
    await this.#writer.findUnconfirmed();
  }

  #take({ change, unknown = [], notices = [] }: Effects): void {
    if (change) this.#state.apply(change);
    for (const { eventId, items } of unknown) this.#unknown.note(eventId, items);
    for (const { level, details, message } of notices) this.#log[level](details, message);
  }

  async #followUp(next: FollowUp): Promise<void> {
    switch (next) {
      case 'move_to_best':
        return await this.moveToBest();
      case 'include_genesis':
        return await this.includeGenesis();
      case 'find_microblocks':
        return await this.#writer.findUnconfirmed();
    }
  }

  /** Writes a plan and waits until it is committed. */
  async #write(plan: Plan): Promise<void> {
    try {
      await this.#writer.write(plan);
      await this.#writer.settled();
    } catch (error) {
      throw plan.branch ? new BranchError(plan, error) : error;
    }
  }
}
