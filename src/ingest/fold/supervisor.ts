import { CodecError } from '@cairn-stacks/codec/error';
import type { Pool } from '../../db/client.ts';
import { messageOf } from '../../errors.ts';
import type { Pause } from '../../pause.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import { abandon } from '../tree/fork-choice.ts';
import { type BadBlock, findBadBlock, type TrialOptions } from './bad-block.ts';
import { quarantine } from './decide.ts';
import type { Decision } from './decision.ts';
import { BranchError, isFenced, isTransient } from './failure.ts';
import type { LeaseLoss } from './lease/lease-loss.ts';
import { RepeatedLosses } from './lease/repeated-losses.ts';
import type { FoldWriter } from './writer.ts';

/** Events that are taken one by one after a failure, so that the failing one is found. */
const eventsOneByOne = 200;
/** An event or a branch that fails so often in a row is the cause of the failure. */
const maxFailures = 3;
/** How often the fold looks whether the operator has skipped the event it has halted at. */
const haltedMs = 1_000;

/** Decides what follows a failure: try again, quarantine the event, or halt until the operator skips it. Outlives sessions. */
export class Supervisor {
  readonly #options: TrialOptions;
  readonly #pause: Pause;
  #oneByOne = 0;
  /** The event that failed last when taken alone; some values are decoded only when they are written. */
  #failing = { id: 0n, failures: 0, reason: '', unreadable: false };
  /** The branch that could not be applied last, by the event of its last block. */
  #failingBranch = { tip: 0n, failures: 0 };
  #badBlock: BadBlock | undefined;
  /** The event that is in hand; 0 before the first. */
  #current = 0n;
  readonly #losses: RepeatedLosses;
  #lastMessage: string | undefined;

  constructor(options: TrialOptions, pause: Pause) {
    this.#options = options;
    this.#pause = pause;
    this.#losses = new RepeatedLosses(options.log);
  }

  /** True while events are taken one by one, each in its own transaction. */
  get oneByOne(): boolean {
    return this.#oneByOne > 0;
  }

  /** Counts an event that was taken alone; true when the next ones may be taken together again. */
  tookOne(): boolean {
    return this.#oneByOne > 0 && --this.#oneByOne === 0;
  }

  sessionStarted(): void {
    this.#lastMessage = undefined;
  }

  /** An event is taken in hand. */
  began(event: LoggedEvent): void {
    this.#current = event.id;
  }

  /** The lock was lost; the step goes on and commits if the fold gets it back before another one writes. */
  leaseLost(loss: LeaseLoss): void {
    this.#losses.leaseLost(loss, this.#current);
  }

  /** A session has ended with an error; the next one begins at the stored position. */
  sessionFailed(error: unknown): void {
    // A lost connection is not the fault of an event: what has piled up meanwhile is folded together.
    if (!isTransient(error)) this.#oneByOne = eventsOneByOne;
    else if (!isFenced(error)) this.#losses.databaseLost(messageOf(error), this.#current);
    this.#logOnce(error);
  }

  /** An event that fails alone again and again is the cause itself. */
  recordFailure(event: LoggedEvent, error: unknown): void {
    if (!this.oneByOne || isTransient(error)) return;
    const failures = this.#failing.id === event.id ? this.#failing.failures + 1 : 1;
    this.#failing = { id: event.id, failures, reason: messageOf(error), unreadable: error instanceof CodecError };
  }

  /** What is to be done with an event that has failed too often; undefined for all others. */
  decideFailing(event: LoggedEvent): Decision | undefined {
    const { id, failures, reason, unreadable } = this.#failing;
    if (id !== event.id || failures < maxFailures) return undefined;
    return unreadable ? quarantine(event, reason) : { kind: 'halt', reason };
  }

  /** Skips an event if the operator has requested it, else halts at it for a while; true when it is skipped. */
  async skipOrHalt(sql: Pool, writer: FoldWriter, event: LoggedEvent, reason: string): Promise<boolean> {
    if (await isSkipped(sql, event.id)) {
      this.#options.log.warn(
        { event: String(event.id), path: event.path },
        'Skipping event as requested by the operator',
      );
      await writer.write({ steps: [{ kind: 'nothing', event }] });
      await writer.settled();
      return true;
    }
    await this.#halt(writer, event, reason);
    return false;
  }

  /** A branch could not be applied when a session began; after some failures its bad block is looked for. */
  async branchFailed(sql: Pool, error: unknown): Promise<void> {
    if (!(error instanceof BranchError) || isTransient(error)) return;
    const tip = error.plan.branch?.at(-1) ?? 0n;
    const failures = this.#failingBranch.tip === tip ? this.#failingBranch.failures + 1 : 1;
    this.#failingBranch = { tip, failures };
    if (failures >= maxFailures) this.#badBlock = await findBadBlock(sql, error.plan, this.#options);
  }

  /** Halts at the bad block of a branch until the operator skips it, and abandons it then. */
  async abandonBadBlock(sql: Pool, writer: FoldWriter): Promise<void> {
    if (!this.#badBlock) return;
    const { event, reason } = this.#badBlock;
    while (!this.#pause.over && !(await isSkipped(sql, event.id))) await this.#halt(writer, event, reason);
    if (this.#pause.over) return;
    this.#options.log.warn(
      { event: String(event.id) },
      'Abandoning a block and its descendants as requested by the operator',
    );
    await abandon(sql, event.id);
    await writer.setHalt(null, null);
    this.#badBlock = undefined;
  }

  async #halt(writer: FoldWriter, event: LoggedEvent, reason: string): Promise<void> {
    await writer.settled();
    if (writer.position.haltedAt !== event.id) {
      this.#options.log.error(
        { event: String(event.id), path: event.path, reason },
        `ingest has stopped at this event; fix the cause, or skip it with: cairn skip ${event.id} --reason "…"`,
      );
      await writer.setHalt(event.id, reason);
    }
    await this.#pause.for(haltedMs);
  }

  /** Logs an error unless it is the same as the one before, which would fill the log second after second. */
  #logOnce(error: unknown): void {
    const { log } = this.#options;
    const message = messageOf(error);
    if (message === this.#lastMessage) return;
    this.#lastMessage = message;
    if (isFenced(error)) log.warn({}, 'another writer has taken over the fold; this one stands by');
    else if (isTransient(error))
      log.warn({ error: message }, 'the fold lost the database; it tries again every second');
    else log.error(error instanceof Error ? error : { error: message }, 'the fold starts again');
  }
}

async function isSkipped(sql: Pool, eventId: bigint): Promise<boolean> {
  const rows = await sql`select 1 from event_skips where event_id = ${String(eventId)}::bigint`;
  return rows.length > 0;
}
