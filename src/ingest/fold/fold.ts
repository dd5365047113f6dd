import { connect } from '../../db/client.ts';
import { messageOf } from '../../errors.ts';
import { MessageError } from '../../node/json.ts';
import { Pause } from '../../pause.ts';
import { type LoggedEvent, parseEvent } from '../log/event-reader.ts';
import type { IncomingEvent } from './decision.ts';
import { isFenced } from './failure.ts';
import type { LeaseLoss } from './lease/lease-loss.ts';
import { storeFailure } from './position.ts';
import { type FoldOptions, runSession, type Session } from './session.ts';
import { Supervisor } from './supervisor.ts';

const defaultRetryMs = 1_000;
const idleMs = 1_000;
/** Blocks that share a transaction while the node sends faster than they can be written one by one. */
const sharedBlocks = 8;
/** Bytes of bodies that are read together. */
const maxBytes = 4 << 20;
const maxEvents = 1_000;

/**
 * The one writer of the canonical tables: takes events of the log in order, decides what each means, and writes it. It
 * restarts itself from the stored position after any failure, so that a lost connection or lock costs a second and changes
 * nothing.
 */
export class Fold {
  readonly #options: FoldOptions;
  readonly #pause = new Pause();
  readonly #stopping = new AbortController();
  readonly #supervisor: Supervisor;
  #loop: Promise<void> | undefined;
  /** While true, events stay in the log: the disk is nearly full. */
  suspended = false;

  constructor(options: FoldOptions) {
    this.#options = options;
    this.#supervisor = new Supervisor(options, this.#pause);
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
    const onLoss = (loss: LeaseLoss) => {
      this.#supervisor.leaseLost(loss);
      this.#options.onLeaseLoss?.(loss);
    };
    const control = { pause: this.#pause, stopping: this.#stopping.signal, onLoss };
    while (!this.#pause.over) {
      try {
        await runSession(this.#options, control, session => this.#fold(session));
      } catch (error) {
        this.#supervisor.sessionFailed(error);
        await this.#storeFailure(error);
        await this.#pause.for(this.#options.retryMs ?? defaultRetryMs);
      }
    }
  }

  /** Stores the reason where others see it: they wait for the tables, or decide whether to serve them. */
  async #storeFailure(error: unknown): Promise<void> {
    const { url, schema } = this.#options;
    if (schema !== undefined || isFenced(error)) return;
    const sql = connect(url, {
      max: 1,
      name: 'cairn fold failure',
      connectTimeoutSeconds: 2,
      statementTimeoutMs: 2_000,
    });
    try {
      await storeFailure(sql, messageOf(error));
    } catch {
      // The database itself is lost or busy, which readiness reports by itself.
    } finally {
      await sql.end({ timeout: 0 });
    }
  }

  /** Folds for as long as the lock is held. */
  async #fold(session: Session): Promise<void> {
    const { supply, lost } = session;
    const isOver = () => this.#pause.over || lost.aborted;
    await this.#catchUp(session);
    while (!isOver()) {
      session.hasNewEvents = false;
      const progressed = !this.suspended && (await this.#drain(session));
      if (progressed || session.hasNewEvents || isOver()) continue;
      await this.#pause.for(idleMs);
      if (!session.hasNewEvents) supply.recheckLog();
    }
  }

  /** The session before may have ended between a block's row in the tree and its place in the chain. */
  async #catchUp({ sql, writer, executor }: Session): Promise<void> {
    await executor.includeGenesis();
    this.#supervisor.sessionStarted();
    await this.#supervisor.abandonBadBlock(sql, writer);
    if (this.#pause.over) return;
    try {
      await executor.moveToBest();
    } catch (error) {
      await this.#supervisor.branchFailed(sql, error);
      throw error;
    }
  }

  /** Folds everything that the log has beyond the position; false when there was nothing. */
  async #drain(session: Session): Promise<boolean> {
    const { supply, writer, executor, housekeeping } = session;
    const maxCount = this.#supervisor.oneByOne ? 1 : maxEvents;
    let any = false;
    for await (const events of supply.batches(writer.position.eventId, { maxBytes, maxCount, asMessages: true })) {
      if (this.#pause.over || this.suspended) break;
      any = true;
      if (!(await this.#foldEvents(session, events))) return false;
      if (!writer.position.bulk) {
        // Events at hand share a transaction; none waits until it is full.
        const more = supply.hasNext(events.at(-1)!.id) && executor.queuedBlocks < sharedBlocks;
        if (writer.idle && !more) await executor.flush();
        housekeeping.reached(writer.position.height);
      }
      if (this.#supervisor.tookOne()) break;
    }
    await executor.flush();
    await writer.writeUnconfirmed();
    await writer.settled();
    return any;
  }

  /** Takes events, decides, writes; false when the fold has halted at one of them. */
  async #foldEvents({ sql, writer, executor }: Session, events: readonly LoggedEvent[]): Promise<boolean> {
    const batch = events.map(incomingEvent);
    await executor.prepare(batch);
    // What is done leaves the batch: parsed messages die young in the garbage collector.
    for (let incoming = batch[0]; incoming; batch.shift(), incoming = batch[0]) {
      if (this.#pause.over) return true;
      const { event } = incoming;
      this.#supervisor.began(event);
      try {
        const decision = this.#supervisor.decideFailing(event) ?? (await executor.decide(incoming, batch));
        if (decision.kind === 'queue' || decision.kind === 'write') {
          await executor.carryOut(decision);
          await writer.yieldToEventLoop();
        }
        if (this.#supervisor.oneByOne || decision.kind === 'halt') {
          await executor.flush();
          await writer.settled();
        }
        if (decision.kind !== 'halt') continue;
        if (!(await this.#supervisor.skipOrHalt(sql, writer, event, decision.reason))) return false;
      } catch (error) {
        this.#supervisor.recordFailure(event, error);
        throw error;
      }
    }
    return true;
  }
}

/** An event whose body is parsed when it is first asked for. One that cannot be parsed gives the reason, which quarantines the event. */
function incomingEvent(event: LoggedEvent): IncomingEvent {
  let parsed: { message: unknown } | undefined;
  return {
    event,
    get message() {
      parsed ??= { message: parse(event) };
      return parsed.message;
    },
  };
}

function parse(event: LoggedEvent): unknown {
  try {
    return parseEvent(event);
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    return error;
  }
}
