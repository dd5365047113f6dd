import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../db/client.ts';
import type { CallReadOnly } from '../node/read-only-call.ts';
import { Pause } from '../pause.ts';
import { CallRate } from './call-rate.ts';
import { patienceMs } from './chain-page.ts';
import { runFetch } from './fetch-jobs.ts';
import { type JobKind, Turns, takeJobs } from './job-queue.ts';
import type { MetadataCounts } from './metadata-counts.ts';
import type { MetadataSource } from './metadata-source.ts';
import { runReads } from './read-jobs.ts';
import { enqueueUnfetched, requestAged } from './refresh.ts';
import { discover } from './token-discovery.ts';
import { defaultAges, type Fetching, type RefreshAges } from './token-results.ts';

export type MetadataLog = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
};

export type WorkerOptions = {
  sql: Pool;
  /** Calls contracts; undefined if no node responds. */
  call: CallReadOnly;
  /** The height that the nodes have reached; undefined while they are behind the index or none is healthy. */
  nodeHeight: (indexHeight: number) => Promise<number | undefined>;
  /** Fetches URIs; without it none is fetched. */
  source?: MetadataSource | undefined;
  /** Which URIs are fetched if there is a source. */
  fetching: Fetching;
  /** Calls of contracts at once, and started in a second. */
  concurrency: number;
  callsPerSecond: number;
  /** URIs fetched at once. */
  fetches: number;
  log: MetadataLog;
  counts?: Partial<MetadataCounts>;
  ages?: RefreshAges;
  /** Milliseconds between two looks when there is nothing to do. */
  pollMs?: number;
  /** Milliseconds after which a job of a worker that is gone is taken over. */
  leaseMs?: number;
  /** Milliseconds between two reads of a token because of notices. */
  noticeMs?: number;
};

const idleMs = 1_000;
const defaultLeaseMs = 120_000;
const defaultNoticeMs = 30_000;
/** Jobs of one contract in a batch: other contracts have their turn after so many. */
const perContract = 16;
const batch = 64;
/** A page of discovery is followed by a rest as long as it took: ingest goes first. */
const rest = 1;

/** Blocks by which a node may be further when it is called than when its height was checked. */
const margin = 2;

const readKinds: readonly JobKind[] = ['count', 'read', 'supply'];

/** Finds tokens in the tables, calls their contracts and fetches what their URIs name, in the background. */
export class MetadataWorker {
  readonly #options: Required<Pick<WorkerOptions, 'pollMs' | 'leaseMs' | 'noticeMs' | 'ages'>> & WorkerOptions;
  readonly #pauses = [new Pause(), new Pause(), new Pause()] as const;
  readonly #rate: CallRate;
  readonly #stop = new AbortController();
  #loops: Promise<unknown> | undefined;
  #discoveredAt = performance.now();

  constructor(options: WorkerOptions) {
    this.#options = {
      pollMs: idleMs,
      leaseMs: defaultLeaseMs,
      noticeMs: defaultNoticeMs,
      ages: defaultAges,
      ...options,
    };
    this.#rate = new CallRate(options.callsPerSecond);
  }

  get #fetching(): Fetching {
    return this.#options.source ? this.#options.fetching : 'none';
  }

  start(): void {
    const [discovery, reading, fetching] = this.#pauses;
    this.#loops = Promise.all([
      this.#repeat(discovery, 'token discovery', () => this.#discover()),
      this.#repeat(reading, 'reading token contracts', () => this.#read()),
      ...(this.#options.source ? [this.#repeat(fetching, 'fetching token metadata', () => this.#fetch())] : []),
    ]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#rate.stop();
    for (const pause of this.#pauses) pause.end();
    await this.#loops;
    // Fetches were cancelled: they return their jobs.
    await Promise.all(this.#running);
  }

  /** Repeats a step until the stop; a step returns the milliseconds until the next one. */
  async #repeat(pause: Pause, name: string, step: () => Promise<number>): Promise<void> {
    let failing = false;
    while (!pause.over) {
      let waitMs = this.#options.pollMs;
      try {
        waitMs = await step();
        failing = false;
      } catch (error) {
        if (!pause.over && !failing) this.#options.log.warn({ err: error }, `${name} failed; it tries again`);
        failing = true;
      }
      if (waitMs > 0) await pause.for(waitMs);
    }
  }

  async #discover(): Promise<number> {
    const { sql, pollMs, noticeMs, counts } = this.#options;
    await enqueueUnfetched(sql, this.#fetching);
    const startedAt = performance.now();
    const blocks = await discover(sql, { impatient: startedAt - this.#discoveredAt > patienceMs, noticeMs });
    const aged = await requestAged(sql);
    if (blocks === 0 && aged === 0) return pollMs;
    if (blocks > 0) counts?.blocks?.(blocks);
    this.#discoveredAt = performance.now();
    this.#pauses[1].wake();
    return (this.#discoveredAt - startedAt) * rest;
  }

  readonly #turns = { read: new Turns(), fetch: new Turns() };

  async #read(): Promise<number> {
    const { sql, call, nodeHeight, concurrency, leaseMs, pollMs, counts, ages } = this.#options;
    const [index] = await sql<{ height: number }[]>`select p.height from fold_position p`;
    const height = await nodeHeight(index?.height ?? -1);
    counts?.paused?.(height === undefined);
    if (height === undefined) return pollMs;
    const lease = randomUUID();
    const taking = { kinds: readKinds, lease, leaseMs, limit: batch, perContract, after: this.#turns.read.after };
    const taken = await takeJobs(sql, taking);
    const isIdle = this.#turns.read.isIdleAfter(taken);
    if (taken.jobs.length === 0) return isIdle ? pollMs : 0;
    const paced: CallReadOnly = async (...args) => {
      await this.#rate.turn();
      return await call(...args);
    };
    const options = {
      sql,
      call: paced,
      lease,
      height: height + margin,
      concurrency,
      fetching: this.#fetching,
      ages,
      counts,
    };
    await runReads(taken.jobs, options);
    this.#pauses[2].wake();
    return 0;
  }

  readonly #running = new Set<Promise<void>>();

  /** Keeps as many fetches running as are allowed: a slow host holds up none but its own. */
  async #fetch(): Promise<number> {
    const { sql, source, fetches, leaseMs, pollMs, ages, counts } = this.#options;
    const free = fetches - this.#running.size;
    if (free > 0) {
      const lease = randomUUID();
      const limits = { limit: free, perContract: Math.max(1, Math.ceil(fetches / 4)), after: this.#turns.fetch.after };
      const taken = await takeJobs(sql, { kinds: ['fetch'], lease, leaseMs, ...limits });
      const isIdle = this.#turns.fetch.isIdleAfter(taken);
      for (const job of taken.jobs) {
        const work = runFetch(job, { sql, source: source!, lease, signal: this.#stop.signal, ages, counts })
          .catch(error => {
            if (!this.#stop.signal.aborted)
              this.#options.log.warn({ err: error }, 'a fetched document could not be stored');
          })
          .finally(() => this.#running.delete(work));
        this.#running.add(work);
      }
      if (taken.jobs.length === 0 && !isIdle) return 0;
    }
    if (this.#running.size === 0) return pollMs;
    await Promise.race([...this.#running, sleep(pollMs)]);
    return 0;
  }
}
