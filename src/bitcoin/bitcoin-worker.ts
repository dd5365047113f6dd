import { randomUUID } from 'node:crypto';
import type { Pool } from '../db/client.ts';
import { Pause } from '../pause.ts';
import { discoverOutputs } from './output-discovery.ts';
import { endOutput, returnOutput, takeOutputs } from './output-jobs.ts';
import type { Answer, BitcoinSource, OutputJob } from './source.ts';

export type BitcoinWorkerOptions = {
  sql: Pool;
  source: BitcoinSource;
  log: { warn(details: object, message: string): void };
  /** Called after each request with what became of it. */
  onAnswer?: (result: 'answered' | 'unknown' | 'failed') => void;
  /** Milliseconds between two looks when there is nothing to do, and the first pause after a failure. */
  everyMs?: number;
  /** Milliseconds after which a job of a worker that is gone is taken over. */
  leaseMs?: number;
  /** Seconds after which a job is tried again for the first time. */
  retrySeconds?: number;
};

/** Jobs taken at once: each ends before the lease does, even if all of its requests run into their time limit. */
const BATCH = 2;
const LEASE_MS = 300_000;
const LONGEST_PAUSE_MS = 300_000;
const RETRY_SECONDS = 30;
const LONGEST_RETRY_SECONDS = 3_600;

/**
 * Asks one source about the outputs that sBTC is about, in the background: one request at a time, with a rest as long as it
 * took. While the source does not answer, it is left alone for longer and longer.
 */
export class BitcoinWorker {
  readonly #options: Required<Pick<BitcoinWorkerOptions, 'everyMs' | 'leaseMs' | 'retrySeconds'>> &
    BitcoinWorkerOptions;
  readonly #pause = new Pause();
  #loop: Promise<void> | undefined;
  /** Requests that failed one after the other. */
  #failures = 0;

  constructor(options: BitcoinWorkerOptions) {
    this.#options = { everyMs: 2_000, leaseMs: LEASE_MS, retrySeconds: RETRY_SECONDS, ...options };
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Ends the request under way: its job is returned. */
  async stop(): Promise<void> {
    this.#pause.end();
    await this.#options.source.close();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { everyMs, log } = this.#options;
    let failing = false;
    while (!this.#pause.over) {
      try {
        const busy = await this.#step();
        failing = false;
        if (!busy) await this.#pause.for(everyMs);
      } catch (error) {
        if (this.#pause.over) return;
        if (!failing) log.warn({ err: error }, 'looking for outputs of Bitcoin failed; it is tried again');
        failing = true;
        await this.#pause.for(everyMs);
      }
    }
  }

  /** Searches the next blocks and does some jobs; false if there was neither. */
  async #step(): Promise<boolean> {
    const { sql, source, leaseMs, everyMs } = this.#options;
    const searched = await discoverOutputs(sql, source.number);
    const held = { source: source.number, lease: randomUUID() };
    const jobs = await takeOutputs(sql, { ...held, leaseMs, limit: BATCH });
    let failed = false;
    for (const job of jobs) {
      if (this.#pause.over || failed) await returnOutput(sql, held, job);
      else failed = !(await this.#ask(held, job));
    }
    if (failed) await this.#pause.for(Math.min(everyMs * 2 ** Math.min(this.#failures - 1, 10), LONGEST_PAUSE_MS));
    return searched > 0 || jobs.length > 0;
  }

  /** Does one job; false if the source gave no answer that can be used. */
  async #ask(held: { source: number; lease: string }, job: OutputJob): Promise<boolean> {
    const { sql, source, log, onAnswer, retrySeconds } = this.#options;
    const startedAt = performance.now();
    let answer: Answer;
    try {
      answer = await source.ask(job);
    } catch (error) {
      if (this.#pause.over) {
        await returnOutput(sql, held, job);
        return false;
      }
      onAnswer?.('failed');
      if (this.#failures++ === 0)
        log.warn({ reason: (error as Error).message }, `${source.name} cannot be asked; it is tried again`);
      const againSeconds = Math.min(retrySeconds * 2 ** Math.min(job.attempts - 1, 10), LONGEST_RETRY_SECONDS);
      await endOutput(sql, held, job, { againSeconds });
      return false;
    }
    await endOutput(sql, held, job, answer);
    onAnswer?.(answer.facts ? 'answered' : 'unknown');
    this.#failures = 0;
    await this.#pause.for(performance.now() - startedAt);
    return true;
  }
}
