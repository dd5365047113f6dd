import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Pool } from '../db/client.ts';
import { messageOf } from '../errors.ts';
import { Pause } from '../pause.ts';
import { Feed } from '../stream/feed.ts';
import type { StepSource } from '../stream/reader.ts';
import { stopHook } from './delivery-queries.ts';
import { HookSender, type SenderLog } from './hook-sender.ts';
import type { HttpSender } from './http-sender.ts';
import { countForeign, type HeldHook, listHeld, releaseHooks, renewLeases, takeHooks } from './lease-queries.ts';
import type { OpenPayload, Payload } from './payload.ts';
import { type Retries, standardRetries } from './retries.ts';
import type { SecretBox, SecretKeys } from './secret-box.ts';
import { openStreamPayload } from './stream-payload.ts';

export type WebhookWorkerOptions = {
  /** Connections for writes, to the primary. */
  sql: Pool;
  /** Connections for reads of the chain, to the primary. */
  reads: Pool;
  source: StepSource;
  keys: SecretKeys;
  http: HttpSender;
  log: SenderLog;
  /** What hooks send; without it only messages of streams. */
  openPayload?: OpenPayload;
  retries?: Retries;
  onAttempt?: (outcome: 'delivered' | 'failed') => void;
  /** Milliseconds between two looks for hooks that nobody sends for and for changes by operators. */
  pollMs?: number;
  /** Milliseconds after which the hooks of a process that is gone are taken over. */
  leaseMs?: number;
};

const POLL_MS = 1000;
const LEASE_MS = 30_000;
/** Hooks taken at once; another process may take the next ones. */
const TAKEN_AT_ONCE = 50;

type Running = {
  term: bigint;
  sender: HookSender;
  leaseEnd: number;
  controller: AbortController;
  ended: Promise<void>;
};

/**
 * Sends for the hooks that this process holds. A hook belongs to one process at a time: by a lease in its row, and by a term that
 * grows with each new holder, so that a process that was away too long writes nothing any more.
 */
export class WebhookWorker {
  readonly #options: Required<WebhookWorkerOptions>;
  readonly #lease = randomUUID();
  readonly #feed: Feed;
  readonly #pause = new Pause();
  readonly #running = new Map<number, Running>();
  /** Hooks whose sender has failed, until one of their requests has ended. */
  readonly #failing = new Set<number>();
  #renewedAt = Number.NEGATIVE_INFINITY;
  #foreign = 0;
  #loop: Promise<void> | undefined;

  constructor(options: WebhookWorkerOptions) {
    const defaults = {
      openPayload: openStreamPayload,
      retries: standardRetries,
      onAttempt: () => {},
      pollMs: POLL_MS,
      leaseMs: LEASE_MS,
    };
    this.#options = { ...defaults, ...options };
    this.#feed = new Feed(options.reads);
  }

  start(): void {
    this.#loop = this.#poll();
  }

  async stop(): Promise<void> {
    this.#pause.end();
    await this.#loop;
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort();
    await Promise.all(running.map(({ ended }) => ended));
    const { sql, log } = this.#options;
    try {
      const held = await listHeld(sql, this.#lease);
      if (held.length > 0) await releaseHooks(sql, this.#lease, idsOf(held));
    } catch (error) {
      log.warn({ err: error }, 'the webhooks of this process are taken over when its lease ends');
    }
  }

  async #poll(): Promise<void> {
    const { pollMs, log } = this.#options;
    let failing = false;
    while (!this.#pause.over) {
      try {
        await this.#keep();
        await this.#take();
        failing = false;
      } catch (error) {
        if (!failing) log.warn({ err: error }, 'the webhooks cannot be read; trying again');
        failing = true;
      }
      this.#leaveExpired();
      await this.#pause.for(pollMs);
    }
  }

  /** Extends the leases, and ends the senders of hooks that were changed, removed or taken over. */
  async #keep(): Promise<void> {
    const { sql, leaseMs } = this.#options;
    const began = performance.now();
    const isDue = began - this.#renewedAt > leaseMs / 6;
    const standings = [...this.#running.values()].map(({ sender }) => sender.standing);
    const renewed = isDue && standings.length > 0 ? await renewLeases(sql, this.#lease, leaseMs, standings) : undefined;
    if (renewed) this.#renewedAt = began;
    const held = new Map((await listHeld(sql, this.#lease)).map(row => [row.id, row]));
    for (const [id, running] of this.#running) {
      const row = held.get(id);
      if (row?.term !== running.term) running.controller.abort();
      else if (renewed) running.leaseEnd = began + leaseMs;
      if (row?.evaluates) running.sender.wake();
    }
    // Their senders have ended: a stopped hook, or one whose sender has failed.
    const left = [...held.keys()].filter(id => !this.#running.has(id));
    if (left.length > 0) await releaseHooks(sql, this.#lease, left);
  }

  /** Ends senders whose lease could not be extended: another process may have begun. */
  #leaveExpired(): void {
    const now = performance.now();
    for (const { leaseEnd, controller } of this.#running.values()) if (leaseEnd <= now) controller.abort();
  }

  async #take(): Promise<void> {
    const { sql, keys, leaseMs, log } = this.#options;
    const box = await keys.find();
    const foreign = await countForeign(sql, box?.id);
    if (foreign > 0 && this.#foreign === 0) {
      const reason =
        'their secrets are encrypted with another CAIRN_WEBHOOK_KEY or data folder than that of this process';
      log.warn({ webhooks: foreign, reason }, 'nobody sends for some webhooks');
    }
    this.#foreign = foreign;
    if (!box) return;
    const began = performance.now();
    const taken = await takeHooks(sql, { lease: this.#lease, leaseMs, key: box.id, limit: TAKEN_AT_ONCE });
    for (const hook of taken) await this.#begin(hook, box, began + leaseMs);
  }

  async #begin(hook: HeldHook, box: SecretBox, leaseEnd: number): Promise<void> {
    const { sql, log } = this.#options;
    const { id, term, name } = hook;
    const secret = box.open(hook.secret, name);
    if (secret === undefined)
      return await this.#refuse(hook, 'its secret cannot be decrypted: remove the hook and add it again');
    let payload: Payload;
    try {
      payload = this.#options.openPayload(hook);
    } catch (error) {
      return await this.#refuse(hook, `its filter cannot be used: ${messageOf(error)}`);
    }
    // The sender of an earlier term is ending.
    const before = this.#running.get(id);
    before?.controller.abort();
    await before?.ended;
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const { source, http, retries } = this.#options;
    const onAttempt = (outcome: 'delivered' | 'failed') => {
      this.#failing.delete(id);
      this.#options.onAttempt(outcome);
    };
    const sender = new HookSender({
      ...{ hook, payload, secret, feed: this.#feed, source, sql, http, retries, log, onAttempt },
      leaseEnd: () => running.leaseEnd,
      signal: controller.signal,
    });
    const fail = (error: unknown) => {
      if (!this.#failing.has(id))
        log.warn({ err: error, hook: name }, 'a webhook cannot be read or written; trying again');
      this.#failing.add(id);
    };
    const running: Running = { term, sender, leaseEnd, controller, ended: Promise.resolve() };
    this.#running.set(id, running);
    running.ended = sender
      .run()
      .catch(fail)
      .finally(() => {
        if (this.#running.get(id) === running) this.#running.delete(id);
      });
  }

  async #refuse(hook: HeldHook, reason: string): Promise<void> {
    const { sql, log } = this.#options;
    log.warn({ hook: hook.name, reason }, 'a webhook is paused');
    await stopHook(sql, hook, reason);
  }
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
