import { positionText } from '../chain/position.ts';
import type { Pool } from '../db/client.ts';
import { PublicError } from '../errors.ts';
import { waitFor } from '../pause.ts';
import type { Feed } from '../stream/feed.ts';
import { changed, type StepSource } from '../stream/reader.ts';
import { type Batch, idOf } from './batch.ts';
import { BatchReader, storedPosition } from './batch-reader.ts';
import {
  beginAttempt,
  type Delivery,
  type DeliveryKind,
  endRedelivery,
  expireHook,
  isHeld,
  KEPT_DELIVERIES,
  recordAgain,
  recordFailure,
  recordSuccess,
  stopHook,
  trimDeliveries,
} from './delivery-queries.ts';
import { nextEvaluation } from './evaluation-queries.ts';
import type { HttpSender, Outcome } from './http-sender.ts';
import type { HeldHook, Standing } from './lease-queries.ts';
import type { Payload } from './payload.ts';
import { nextDelay, type Retries } from './retries.ts';
import { forgetBlocks, keepBlocks } from './sent-blocks-queries.ts';

export type SenderLog = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
};

export type HookSenderOptions = {
  hook: HeldHook;
  payload: Payload;
  secret: string;
  feed: Feed;
  source: StepSource;
  sql: Pool;
  http: HttpSender;
  retries: Retries;
  log: SenderLog;
  onAttempt: (outcome: 'delivered' | 'failed') => void;
  /** Until when this process may send, by `performance.now()`. */
  leaseEnd: () => number;
  signal: AbortSignal;
};

/** Bytes of messages in a batch. */
const BATCH_BYTES = 1_000_000;
/** The log of deliveries is trimmed once in so many of them. */
const TRIM_EVERY = KEPT_DELIVERIES / 4;

/** The hook is another sender's now, or was changed: nothing may be sent or written any more. */
class HoldLost extends Error {
  override name = 'HoldLost';
}

/** Delivers what follows the position of one hook, one request after the other, until the signal aborts or the hook is lost. */
export class HookSender {
  readonly #options: HookSenderOptions;
  readonly #reader: BatchReader;
  /** Set while a range is delivered again. */
  #again: BatchReader | undefined;
  #dueAt: number;
  #failures: number;
  /** Since when the hook fails, by `performance.now()`. */
  #failingAt: number | undefined;
  #deliveries: bigint;
  #occurrences: bigint;
  /** Ended when there may be an evaluation to deliver. */
  #idle = new AbortController();
  #untrimmed = TRIM_EVERY;
  #stopped = false;

  constructor(options: HookSenderOptions) {
    const { hook } = options;
    const now = performance.now();
    this.#options = options;
    this.#dueAt = now + hook.wait_ms;
    this.#failures = hook.failures;
    this.#failingAt = hook.failing_ms === null ? undefined : now - hook.failing_ms;
    this.#deliveries = hook.deliveries;
    this.#occurrences = hook.occurrences;
    const endHeight = hook.end_height ?? undefined;
    this.#reader = new BatchReader(
      storedPosition(hook.position),
      { ...this.#reading, endHeight },
      {
        until: hook.attempt_until ?? undefined,
        undo: hook.undo ?? undefined,
      },
    );
    if (hook.again_position !== null && hook.again_to !== null)
      this.#again = this.#readerAgain(hook.again_position, hook.again_to);
  }

  get #reading() {
    const { hook, feed, source, payload, signal } = this.#options;
    const limits = { messages: hook.batch, bytes: BATCH_BYTES, freeRollbacks: payload.namesRemoved };
    return { feed, source, payload, limits, signal };
  }

  #readerAgain(position: string, upToHeight: number): BatchReader {
    return new BatchReader(storedPosition(position), { ...this.#reading, upToHeight });
  }

  /** Looks whether there is an evaluation to deliver. */
  wake(): void {
    this.#idle.abort();
  }

  /** How far the hook is; without a request, no other statement stores the position. */
  get standing(): Standing {
    const { id, term } = this.#options.hook;
    const { position } = this.#reader;
    return { id, term, deliveries: this.#deliveries, position: positionText(position), height: position.height };
  }

  /** Rejects if the database fails: what is stored is not known then, and the hook has to be taken again. */
  async run(): Promise<void> {
    const { signal, feed, payload } = this.#options;
    const { principal } = payload;
    const leave = () => this.#idle.abort();
    signal.addEventListener('abort', leave, { once: true });
    const unfollow = principal === undefined ? undefined : feed.follow(principal);
    try {
      while (!signal.aborted && !this.#stopped) {
        await waitFor(this.#dueAt - performance.now(), signal);
        if (!signal.aborted) await this.#step();
      }
    } catch (error) {
      if (!signal.aborted && !(error instanceof HoldLost)) throw error;
    } finally {
      signal.removeEventListener('abort', leave);
      unfollow?.();
    }
  }

  /** Delivers one batch, or waits until there is one. */
  async #step(): Promise<void> {
    const { source, signal, sql, hook } = this.#options;
    this.#idle = new AbortController();
    // A hook that its owner has stopped delivers nothing but evaluations.
    const isActive = hook.state === 'active';
    const batch = isActive ? await this.#read(this.#reader) : undefined;
    if (this.#stopped || signal.aborted) return;
    if (batch) return await this.#deliver(batch);
    const again = this.#again && (await this.#read(this.#again));
    // A reader that is stopped has not come to its end.
    if (this.#stopped || signal.aborted) return;
    if (again) return await this.#deliverAgain(this.#again!, again);
    if (this.#again) {
      await endRedelivery(sql, hook);
      this.#again = undefined;
    }
    if (await this.#beginEvaluation()) return;
    if (isActive && hook.end_height !== null && this.#reader.position.height >= hook.end_height)
      await expireHook(sql, hook, `it was to end with block ${hook.end_height}`);
    else if (isActive) return await changed(source, this.#reader.upTo, this.#idle.signal);
    this.#stopped = true;
  }

  /** Makes the next evaluation a redelivery of one block; false if there is none. */
  async #beginEvaluation(): Promise<boolean> {
    const { sql, hook, feed } = this.#options;
    const next = await nextEvaluation(sql, hook, async height => {
      const { height: tip } = await feed.tip();
      // A fork may have left a shorter chain.
      return height > tip ? undefined : positionText(await feed.before(height));
    });
    if (!next) return false;
    hook.again_number = next.number;
    this.#again = this.#readerAgain(next.position, next.height);
    return true;
  }

  /** The next batch; a position that cannot be continued stops the hook. */
  async #read(reader: BatchReader): Promise<Batch | undefined> {
    const { sql, hook, log } = this.#options;
    try {
      return await reader.next();
    } catch (error) {
      // With 400 the database is behind the position: it may still catch up.
      if (!(error instanceof PublicError) || (error.status !== 409 && error.status !== 410)) throw error;
      await stopHook(sql, hook, error.message);
      log.warn({ hook: hook.name, reason: error.message }, 'a webhook is paused');
      this.#stopped = true;
      return undefined;
    }
  }

  async #deliver(batch: Batch): Promise<void> {
    const { sql, hook } = this.#options;
    const reader = this.#reader;
    const at = await beginAttempt(sql, hook, reader.attemptOf(batch));
    if (at === undefined) throw new HoldLost();
    await this.#keep(batch);
    const id = idOf(hook.name, reader.position, batch);
    const outcome = await this.#post(batch, id, at, false);
    const { position } = batch;
    const progress = { position: positionText(position), height: position.height };
    await this.#note(reader, batch, id, 'batch', outcome, async delivery => {
      if (!(await recordSuccess(sql, hook, progress, delivery))) return false;
      await this.#forget(batch);
      this.#countOccurrence(batch);
      return true;
    });
  }

  /** What the receiver may have after the next request, for a rollback. */
  async #keep({ parts }: Batch): Promise<void> {
    const { sql, hook, payload } = this.#options;
    if (!payload.namesRemoved) return;
    const blocks = parts.flatMap(({ step: { kind, position }, text }) =>
      kind === 'apply' ? [{ height: position.height, index_hash: position.indexHash, body: text }] : [],
    );
    if (blocks.length > 0) await keepBlocks(sql, hook, blocks);
  }

  /** What the receiver has removed, and what no fork reaches any more. */
  async #forget({ parts }: Batch): Promise<void> {
    const { sql, hook, payload } = this.#options;
    if (!payload.namesRemoved) return;
    const above = parts.flatMap(({ step }) => (step.kind === 'rollback' ? [step.position.height] : []));
    const applied = parts.flatMap(({ step }) => (step.kind === 'apply' ? [step.position.indexHash] : []));
    await forgetBlocks(sql, hook, above.length > 0 ? Math.min(...above) : undefined, applied);
  }

  /** The statement that stores a success also stores that the hook has expired. */
  #countOccurrence({ heights }: Batch): void {
    if (!heights) return;
    const { hook, log } = this.#options;
    this.#occurrences++;
    if (hook.end_occurrences === null || this.#occurrences < hook.end_occurrences) return;
    this.#stopped = true;
    log.info({ hook: hook.name }, 'a webhook has expired');
  }

  async #deliverAgain(reader: BatchReader, batch: Batch): Promise<void> {
    const { sql, hook } = this.#options;
    if (!(await isHeld(sql, hook))) throw new HoldLost();
    await this.#keep(batch);
    const id = idOf(`${hook.name} again ${hook.again_number}`, reader.position, batch);
    const outcome = await this.#post(batch, id, new Date(), true);
    const position = positionText(batch.position);
    await this.#note(reader, batch, id, 'redelivery', outcome, delivery => recordAgain(sql, hook, position, delivery));
  }

  async #post(batch: Batch, id: string, at: Date, redelivery: boolean): Promise<Outcome> {
    const { http, hook, secret, signal, leaseEnd, payload } = this.#options;
    const body = payload.bodyOf(batch, { hook: hook.name, at, redelivery });
    const leftMs = leaseEnd() - performance.now();
    if (leftMs <= 0) throw new HoldLost();
    return await http.post(hook.url, payload.headersOf(secret, id, body), body, signal, leftMs);
  }

  /** Stores how an attempt ended, and goes on behind the batch or returns to its beginning. */
  async #note(
    reader: BatchReader,
    batch: Batch,
    id: string,
    kind: DeliveryKind,
    outcome: Outcome,
    succeed: (delivery: Delivery) => Promise<boolean>,
  ): Promise<void> {
    const { sql, hook, onAttempt, log } = this.#options;
    const delivery: Delivery = {
      kind,
      message: id,
      attempt: this.#failures + 1,
      messages: batch.parts.length,
      first_height: batch.heights?.first ?? null,
      last_height: batch.heights?.last ?? null,
      status: outcome.status ?? null,
      error: outcome.ok ? null : outcome.error,
      duration_ms: outcome.durationMs,
    };
    if (outcome.ok) {
      if (!(await succeed(delivery))) throw new HoldLost();
      reader.commit(batch);
      this.#failures = 0;
      this.#failingAt = undefined;
      this.#deliveries++;
      onAttempt('delivered');
    } else {
      reader.rewind(batch);
      const { state, reason, delayMs } = this.#setback(outcome);
      if (!(await recordFailure(sql, hook, { state, reason, delayMs }, delivery))) throw new HoldLost();
      this.#failures++;
      this.#dueAt = performance.now() + delayMs;
      this.#stopped = state !== 'active';
      onAttempt('failed');
      if (reason !== null) log.warn({ hook: hook.name, reason }, `a webhook is ${state}`);
    }
    if (++this.#untrimmed < TRIM_EVERY) return;
    this.#untrimmed = 0;
    await trimDeliveries(sql, hook.id);
  }

  #setback(outcome: Outcome & { ok: false }) {
    this.#failingAt ??= performance.now();
    const { error, next, askedMs } = outcome;
    if (next === 'disable') return { state: 'disabled', reason: error, delayMs: 0 } as const;
    if (next === 'pause') return { state: 'paused', reason: error, delayMs: 0 } as const;
    const failingMs = performance.now() - this.#failingAt;
    const delayMs = nextDelay(this.#options.retries, this.#failures + 1, failingMs, askedMs);
    if (delayMs !== undefined) return { state: 'active', reason: null, delayMs } as const;
    return {
      state: 'paused',
      reason: `no request has arrived for too long; the last one: ${error}`,
      delayMs: 0,
    } as const;
  }
}
