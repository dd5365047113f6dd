import type { MessagePort } from 'node:worker_threads';
import type { Writer } from '../../../db/writer.ts';
import type { Pause } from '../../../pause.ts';
import { markWriter } from './lease-connection.ts';
import type { LeaseReport } from './lease-keeper.ts';
import type { LeaseLoss } from './lease-loss.ts';
import { requestLease } from './lease-thread.ts';

export type LeaseOptions = {
  url: string;
  /** Schema whose tables are folded, where it is not the one in use. */
  schema?: string | undefined;
  /** How long to wait between two tries for the lock. */
  retryMs: number;
  /** Called with each loss of the lock; the lease tries to get it back. */
  onLoss: (loss: LeaseLoss) => void;
  /** Called once when the lock is not to be had any more. */
  onFailure: (error: Error) => void;
};

/**
 * The right to fold: an advisory lock on a connection that the server ends when its holder falls silent. A connection to
 * a host or network that is gone looks idle to the server, so waiting for TCP would take hours. A thread of its own keeps the
 * lock, so that a long computation of the fold does not lose it. The lock only decides which process writes; the fence
 * guarantees that no other one can commit.
 */
export class FoldLease {
  readonly #options: LeaseOptions;
  readonly #port: MessagePort;
  readonly #closed: Promise<void>;
  #held = new Permission();
  #failure: Error | undefined;
  #ending = false;

  constructor(options: LeaseOptions) {
    const { url, schema, retryMs } = options;
    this.#options = options;
    this.#port = requestLease({ url, schema, retryMs });
    this.#closed = new Promise(resolve => this.#port.once('close', () => resolve()));
    this.#port.on('message', (report: LeaseReport) => this.#hear(report));
    this.#port.once('close', () => this.#fail(new Error('the thread that keeps the lock of the fold has ended')));
  }

  /** Waits for the lock; false when the pause ended first. */
  async acquire(pause: Pause): Promise<boolean> {
    let held = false;
    this.#held.promise.then(
      () => {
        held = true;
        pause.wake();
      },
      () => pause.wake(),
    );
    while (!held && !this.#failure && !pause.over) await pause.for(this.#options.retryMs);
    if (this.#failure) throw this.#failure;
    return held;
  }

  /** Resolves while the lock is held; waits after a loss, and rejects when the lock is not to be had any more. */
  held(): Promise<void> {
    return this.#held.promise;
  }

  /** Marks the connection that writes, so that the next writer can end it. */
  async mark(writer: Writer): Promise<void> {
    await markWriter(writer, this.#options.schema);
  }

  /** Gives the lock free. */
  async end(): Promise<void> {
    if (!this.#ending) this.#port.postMessage('end');
    this.#ending = true;
    await this.#closed;
  }

  #hear(report: LeaseReport): void {
    if (this.#ending) return;
    switch (report.kind) {
      case 'held':
      case 'regained':
        this.#held.resolve();
        return;
      case 'lost':
        this.#held = new Permission();
        this.#options.onLoss(report.loss);
        return;
      case 'failed':
        this.#fail(Object.assign(new Error(report.message), { code: report.code }));
    }
  }

  #fail(error: Error): void {
    if (this.#ending || this.#failure) return;
    this.#failure = error;
    this.#held.reject(error);
    this.#options.onFailure(error);
  }
}

/** Settles when the lock is held, or is not to be had any more. */
class Permission {
  resolve: () => void = () => {};
  reject: (error: Error) => void = () => {};
  readonly promise = new Promise<void>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });

  constructor() {
    this.promise.catch(() => {}); // raised where it is awaited
  }
}
