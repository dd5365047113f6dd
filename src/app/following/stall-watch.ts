import { toHex } from '@cairn-stacks/codec/hex';
import type { Sql } from '../../db/client.ts';
import { Pause } from '../../pause.ts';
import { type BestBlock, findBestBlock } from '../../read/status/best-block-queries.ts';
import type { IngestConditions } from '../../read/status/conditions-schema.ts';
import type { ReadinessCheck } from '../../read/status/health.ts';

export type StallLog = Record<'info' | 'warn' | 'debug', (details: object, message: string) => void>;

export type StallWatchOptions = {
  sql: Sql;
  log: StallLog;
  everyMs?: number;
  /** How long the tables may need to move to a better block before that is reported. */
  patienceMs?: number;
};

const EVERY_MS = 1000;
const PATIENCE_MS = 5000;

/** The tip that has not moved, and since when a better block is known or an event fails. */
type Wait = { tip: Buffer; since: number };

/** Notices that the tables do not move to the best known block or past an event of the log, whatever the cause. */
export class StallWatch {
  readonly #options: StallWatchOptions;
  readonly #patienceMs: number;
  readonly #pause = new Pause();
  #found: BestBlock | undefined;
  #wait: Wait | undefined;
  #reported = false;
  #loop: Promise<void> | undefined;

  constructor(options: StallWatchOptions) {
    this.#options = options;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  /** Looks once, and goes on looking. */
  async start(): Promise<void> {
    await this.#tryLook();
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#pause.end();
    await this.#loop;
  }

  /** The height of the tip; -1 before the first block. */
  get height(): number {
    return this.#found?.tipHeight ?? -1;
  }

  /** Seconds since when a better block is known or an event fails; 0 if neither, or if the tables are about to move. */
  get seconds(): number {
    return this.#isStalled(this.#wait) ? (Date.now() - this.#wait.since) / 1000 : 0;
  }

  get report(): IngestConditions['stalled'] {
    const best = this.#found?.best;
    const wait = this.#wait;
    if (!best || !this.#isStalled(wait)) return null;
    return {
      block_height: best.height,
      index_block_hash: toHex(best.indexHash),
      since: new Date(wait.since).toISOString(),
      reason: this.#found?.failure ?? 'the tables are being moved to it, which takes long',
    };
  }

  get failing(): IngestConditions['failing'] {
    const wait = this.#wait;
    const { best, nextEvent, failure } = this.#found ?? { best: null, nextEvent: null, failure: null };
    if (best || nextEvent === null || failure === null || !this.#isStalled(wait)) return null;
    return { event_id: nextEvent, since: new Date(wait.since).toISOString(), reason: failure };
  }

  get check(): ReadinessCheck {
    return () => {
      const { report, failing } = this;
      if (report) {
        return (
          `the served chain ends at block ${this.height}, and the tables do not move to the best known block ${report.block_height} ` +
          `(${report.index_block_hash}) since ${report.since}: ${report.reason}`
        );
      }
      return failing
        ? `event ${failing.event_id} cannot be processed since ${failing.since}: ${failing.reason}`
        : undefined;
    };
  }

  #isStalled(wait: Wait | undefined): wait is Wait {
    return wait !== undefined && Date.now() - wait.since >= this.#patienceMs;
  }

  async look(): Promise<void> {
    const found = await findBestBlock(this.#options.sql);
    this.#found = found;
    const fails = found.nextEvent !== null && found.failure !== null;
    if (!found.best && !fails) this.#wait = undefined;
    else if (!this.#wait?.tip.equals(found.tipIndexHash)) this.#wait = { tip: found.tipIndexHash, since: Date.now() };
    const { report, failing } = this;
    if (report && !this.#reported) {
      this.#options.log.warn(report, `the tables do not move to the best known block ${report.block_height}`);
    } else if (failing && !this.#reported) {
      this.#options.log.warn(failing, `event ${failing.event_id} cannot be processed; it is tried again`);
    } else if (!report && !failing && this.#reported) {
      this.#options.log.info({ height: found.tipHeight }, 'the tables have moved on');
    }
    this.#reported = report !== null || failing !== null;
  }

  async #run(): Promise<void> {
    while (!this.#pause.over) {
      await this.#pause.for(this.#options.everyMs ?? EVERY_MS);
      if (!this.#pause.over) await this.#tryLook();
    }
  }

  /** A database that does not respond is reported by others; what was seen last counts until it does. */
  async #tryLook(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the tip could not be compared with the best known block');
    }
  }
}
